package ci

import (
	"regexp"
	"strconv"
	"strings"
)

// source matches a file and a line in cases and problems.
var source = regexp.MustCompile(`^(.+):([1-9][0-9]{0,8})$`)

// sourceOf returns the file and line of a case. Line 0 is the whole file.
func sourceOf(text string) (file string, line int) {
	parts := source.FindStringSubmatch(text)
	if parts == nil {
		return text, 0
	}
	line, _ = strconv.Atoi(parts[2]) // which are at most nine digits
	return parts[1], line
}

// placeOf returns the file and line at the beginning of a problem, if there is a line.
func placeOf(problem string) (file string, line int) {
	at, _, found := strings.Cut(problem, ": ")
	if file, line = sourceOf(at); !found || line == 0 {
		return "", 0
	}
	return file, line
}

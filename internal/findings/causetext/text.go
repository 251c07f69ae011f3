package causetext

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/diffrun/diffrun/internal/findings/causes"
	"github.com/diffrun/diffrun/internal/sidebyside"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

func name(text string) string { return plaintext.Cut(strings.TrimSpace(text), plaintext.MaxLine) }

// Side returns the error of one side, with its field if that differs from the other side's.
func Side(err *causes.Error, at string) string {
	if err == nil {
		return sidebyside.NoError
	}
	text := err.String()
	if err.Field != name(at) {
		text = sidebyside.Place(err.Field) + ": " + text
	}
	return name(text)
}

// source matches a file and a line in cases and problems.
var source = regexp.MustCompile(`^(.+):([1-9][0-9]{0,8})$`)

// Source returns the file and line of a text such as "cases.yaml:12". Line 0 is the whole file.
func Source(text string) (file string, line int) {
	parts := source.FindStringSubmatch(text)
	if parts == nil {
		return text, 0
	}
	line, _ = strconv.Atoi(parts[2]) // which are at most nine digits
	return parts[1], line
}

// ProblemPlace splits a problem of a run into the file and line at its beginning, if it has both, and
// the rest.
func ProblemPlace(problem string) (file string, line int, text string) {
	at, text, found := strings.Cut(problem, ": ")
	if file, line = Source(at); !found || line == 0 {
		return "", 0, problem
	}
	return file, line, text
}

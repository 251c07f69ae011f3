package ci

import (
	"strings"

	"github.com/diffrun/diffrun/internal/findings/causetext"
)

// placeOf returns the file and line at the beginning of a problem, if there is a line.
func placeOf(problem string) (file string, line int) {
	at, _, found := strings.Cut(problem, ": ")
	if file, line = causetext.Source(at); !found || line == 0 {
		return "", 0
	}
	return file, line
}

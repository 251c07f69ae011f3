package marker

import (
	"strings"

	"github.com/diffrun/diffrun/internal/text/oneof"
)

// Nearest returns the known name that a misspelled one most likely means, or "".
func Nearest(name string, known []string) string {
	best, bestDistance := "", 1<<30
	for _, each := range known {
		d := likeness(name, each)
		if d <= tolerance(each) && d < bestDistance {
			best, bestDistance = each, d
		}
	}
	return best
}

// likeness returns the edit distance between two names, ignoring case. A name without the first
// part of its namespace, such as "validation:Minimum", is close.
func likeness(name, known string) int {
	name, known = strings.ToLower(name), strings.ToLower(known)
	if strings.HasSuffix(known, ":"+name) && strings.Contains(name, ":") {
		return 1
	}
	return oneof.Distance(name, known)
}

// tolerance returns how many typos to accept in a name.
func tolerance(known string) int {
	switch n := len(known); {
	case n <= 5:
		return 1
	case n <= 12:
		return 2
	}
	return 3
}

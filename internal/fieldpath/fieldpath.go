// Package fieldpath reads the paths of field errors, as field.Path prints them:
// "spec.ports[1].name", "metadata.labels[app.kubernetes.io/name]", "<nil>" for the
// root.
package fieldpath

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// Root is how apimachinery prints the path of the whole object (field.Path.String of
// a nil path).
const Root = "<nil>"

// Step is one part of a path: a field name, or the index or map key in brackets.
type Step struct {
	Text    string
	Bracket bool
}

// Canonical gives both spellings of the root, "<nil>" and "", as "".
func Canonical(path string) string {
	if path == Root {
		return ""
	}
	return path
}

// Split cuts a path into its steps; the root has none. Map keys may contain dots and
// brackets, so a bracket closes only where the path ends or a new step begins.
func Split(path string) []Step {
	var steps []Step
	rest := Canonical(path)
	for rest != "" {
		if rest[0] == '[' {
			end := closingBracket(rest)
			steps = append(steps, Step{Text: rest[1:end], Bracket: true})
			rest = strings.TrimPrefix(rest[min(end+1, len(rest)):], ".")
			continue
		}
		end := strings.IndexAny(rest, ".[")
		if end < 0 {
			end = len(rest)
		}
		steps = append(steps, Step{Text: rest[:end]})
		rest = strings.TrimPrefix(rest[end:], ".")
	}
	return steps
}

// closingBracket gives the index of the bracket that closes the first one, or the
// length of the text if none does.
func closingBracket(text string) int {
	for i := 1; i < len(text); i++ {
		if text[i] == ']' && (i+1 == len(text) || text[i+1] == '.' || text[i+1] == '[') {
			return i
		}
	}
	return len(text)
}

// Compare orders paths: a parent before its children, items[2] before items[10],
// indices before map keys.
func Compare(a, b []Step) int { return slices.CompareFunc(a, b, compareSteps) }

func compareSteps(a, b Step) int {
	if a.Bracket != b.Bracket {
		return compareBools(a.Bracket, b.Bracket)
	}
	if a.Bracket {
		i, notI := strconv.Atoi(a.Text)
		j, notJ := strconv.Atoi(b.Text)
		if order := cmp.Or(compareBools(notI != nil, notJ != nil), cmp.Compare(i, j)); order != 0 {
			return order
		}
	}
	return strings.Compare(a.Text, b.Text)
}

func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

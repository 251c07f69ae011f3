// Package fieldpath reads the paths of field errors, as field.Path prints them:
// "spec.ports[1].name", "metadata.labels[app.kubernetes.io/name]", "<nil>" for the
// root.
package fieldpath

import (
	"cmp"
	"strings"
)

// Root is the path of the whole object as apimachinery prints it (field.Path.String of a nil path).
const Root = "<nil>"

// Step is one part of a path: a field name, or the index or map key in brackets.
type Step struct {
	Text    string
	Bracket bool
}

// Canonical returns both spellings of the root, "<nil>" and "", as "".
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
	for rest := Canonical(path); rest != ""; {
		var step Step
		step, rest = first(rest)
		steps = append(steps, step)
	}
	return steps
}

// first returns the first step of a path that is not empty, and the rest of the path.
func first(path string) (step Step, rest string) {
	if path[0] == '[' {
		end := closingBracket(path)
		return Step{Text: path[1:end], Bracket: true}, strings.TrimPrefix(path[min(end+1, len(path)):], ".")
	}
	end := 0
	for end < len(path) && path[end] != '.' && path[end] != '[' {
		end++
	}
	return Step{Text: path[:end]}, strings.TrimPrefix(path[end:], ".")
}

// closingBracket returns the index of the bracket that closes the first one, or the length of the text.
func closingBracket(text string) int {
	for i := 1; i < len(text); i++ {
		if text[i] == ']' && (i+1 == len(text) || text[i+1] == '.' || text[i+1] == '[') {
			return i
		}
	}
	return len(text)
}

// CutPrefix returns what follows the path of a value in a path: "" if they are equal, ".name" or "[0]" if it leads to a
// part of the value. It returns false if the path leads elsewhere. Everything is below the root.
func CutPrefix(path, of string) (rest string, atOrBelow bool) {
	path, of = Canonical(path), Canonical(of)
	rest, begins := strings.CutPrefix(path, of)
	if begins && (rest == "" || of == "" || rest[0] == '.' || rest[0] == '[') {
		return rest, true
	}
	return path, false
}

// AtOrBelow reports whether a path is that of a value, or leads to a part of it.
func AtOrBelow(path, of string) bool {
	_, is := CutPrefix(path, of)
	return is
}

// Compare orders paths: a parent before its children, items[2] before items[10],
// indices before map keys. Paths with the same steps come in the order of their bytes.
func Compare(a, b string) int {
	restA, restB := Canonical(a), Canonical(b)
	for restA != "" && restB != "" {
		var stepA, stepB Step
		stepA, restA = first(restA)
		stepB, restB = first(restB)
		if order := compareSteps(stepA, stepB); order != 0 {
			return order
		}
	}
	return cmp.Or(cmp.Compare(len(restA), len(restB)), strings.Compare(Canonical(a), Canonical(b)))
}

func compareSteps(a, b Step) int {
	if a == b {
		return 0
	}
	if a.Bracket != b.Bracket {
		return compareBools(a.Bracket, b.Bracket)
	}
	if a.Bracket {
		i, isI := index(a.Text)
		j, isJ := index(b.Text)
		if order := cmp.Or(compareBools(!isI, !isJ), cmp.Compare(len(i), len(j)), strings.Compare(i, j)); order != 0 {
			return order
		}
	}
	return strings.Compare(a.Text, b.Text)
}

// index returns the digits of an index without leading zeros, so the longer of two is greater. It is
// false for a map key.
func index(text string) (string, bool) {
	if text == "" || strings.Trim(text, "0123456789") != "" {
		return "", false
	}
	return strings.TrimLeft(text, "0"), true
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

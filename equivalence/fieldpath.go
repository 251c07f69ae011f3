package equivalence

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// rootField is how apimachinery prints the path of the whole object
// (field.Path.String of a nil path); files name the root the same way.
const rootField = "<nil>"

// step is one part of a field path: a name, or what stands in brackets.
type step struct {
	text    string
	bracket bool
}

// anyItem is the only wildcard of a field pattern: one index or map key.
func (s step) anyItem() bool { return s.bracket && s.text == "*" }

// canonicalField gives the two spellings of the root one form.
func canonicalField(text string) string {
	if text == rootField {
		return ""
	}
	return text
}

// splitField cuts a field path into its steps. Map keys may hold dots and
// brackets, so a bracket ends only where a new step can begin.
func splitField(text string) []step {
	var steps []step
	rest := canonicalField(text)
	for rest != "" {
		if rest[0] == '[' {
			end := closingBracket(rest)
			steps = append(steps, step{text: rest[1:end], bracket: true})
			rest = strings.TrimPrefix(rest[min(end+1, len(rest)):], ".")
			continue
		}
		end := strings.IndexAny(rest, ".[")
		if end < 0 {
			end = len(rest)
		}
		steps = append(steps, step{text: rest[:end]})
		rest = strings.TrimPrefix(rest[end:], ".")
	}
	return steps
}

// closingBracket gives the index of the bracket that closes the first one, or
// the length of a text that never closes it.
func closingBracket(text string) int {
	for i := 1; i < len(text); i++ {
		if text[i] == ']' && (i+1 == len(text) || text[i+1] == '.' || text[i+1] == '[') {
			return i
		}
	}
	return len(text)
}

// compareFields orders paths as people count: items[2] before items[10], a
// parent before its children.
func compareFields(a, b []step) int {
	return slices.CompareFunc(a, b, compareSteps)
}

func compareSteps(a, b step) int {
	if a.bracket != b.bracket {
		return compareBools(a.bracket, b.bracket)
	}
	if a.bracket {
		i, notI := strconv.Atoi(a.text)
		j, notJ := strconv.Atoi(b.text)
		if order := cmp.Or(compareBools(notI != nil, notJ != nil), cmp.Compare(i, j)); order != 0 {
			return order
		}
	}
	return strings.Compare(a.text, b.text)
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

// How far two different fields are from each other, as far as it matters for
// saying that one error was reported at two places.
const (
	otherIndex = iota // the same but for indices and keys
	contains          // one is the parent of the other
	sameName          // the last names are equal
	elsewhere
)

func fieldDistance(a, b []step) int {
	switch {
	case slices.EqualFunc(a, b, func(a, b step) bool { return a == b || a.bracket && b.bracket }):
		return otherIndex
	case len(a) > 0 && len(b) > 0 && slices.Equal(a[:min(len(a), len(b))], b[:min(len(a), len(b))]):
		return contains
	case lastName(a) != "" && lastName(a) == lastName(b):
		return sameName
	}
	return elsewhere
}

func lastName(steps []step) string {
	for _, step := range slices.Backward(steps) {
		if !step.bracket {
			return step.text
		}
	}
	return ""
}

// FieldPattern names fields: literally, but for [*], which stands for one list
// index or map key, and a ".**" at the end, which adds all that is below.
// "<nil>" is the root, as apimachinery prints it.
type FieldPattern struct {
	source string
	steps  []step
	below  bool
}

// subtree ends a pattern that names a field and all that is below it.
const subtree = ".**"

// UnmarshalText reads a pattern; it is an encoding.TextUnmarshaler so that
// files report mistakes at its line.
func (p *FieldPattern) UnmarshalText(text []byte) error {
	source := strings.TrimSpace(string(text))
	if source == "" {
		return fmt.Errorf("an empty field; write %s for the root of the object", rootField)
	}
	top, below := strings.CutSuffix(source, subtree)
	steps := splitField(top)
	for _, step := range steps {
		switch {
		case step.anyItem():
		case strings.Contains(step.text, "*"):
			return fmt.Errorf("field %q: the only wildcards are [*], for one index or key, and .** at the end, for all that is below", source)
		case step.text == "":
			return fmt.Errorf("field %q has an empty part", source)
		}
	}
	if strings.Count(source, "[") != strings.Count(source, "]") {
		return fmt.Errorf("field %q: a bracket is not closed", source)
	}
	if strings.HasPrefix(source, ".") || strings.HasSuffix(source, ".") || strings.Contains(source, "..") {
		return errors.New("field " + strconv.Quote(source) + " has an empty part")
	}
	*p = FieldPattern{source: source, steps: steps, below: below}
	return nil
}

// String gives the pattern as it was written.
func (p FieldPattern) String() string { return p.source }

// IsZero says that no pattern was given.
func (p FieldPattern) IsZero() bool { return p.source == "" }

// Matches says whether a field is one of those that the pattern names.
func (p FieldPattern) Matches(fieldPath string) bool { return p.matches(splitField(fieldPath)) }

func (p FieldPattern) matches(steps []step) bool {
	if p.below {
		steps = steps[:min(len(steps), len(p.steps))]
	}
	return slices.EqualFunc(p.steps, steps, func(want, got step) bool {
		return want == got || want.anyItem() && got.bracket
	})
}

// overlaps says whether some field is named by both patterns.
func (p FieldPattern) overlaps(other FieldPattern) bool {
	mine, others := p.steps, other.steps
	if p.below {
		others = others[:min(len(others), len(mine))]
	}
	if other.below {
		mine = mine[:min(len(mine), len(others))]
	}
	return slices.EqualFunc(mine, others, func(a, b step) bool {
		return a == b || a.anyItem() && b.bracket || b.anyItem() && a.bracket
	})
}

// example gives a field that the pattern names.
func (p FieldPattern) example() string {
	return strings.ReplaceAll(strings.TrimSuffix(p.source, subtree), "[*]", "[0]")
}

package equivalence

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/diffrun/diffrun/internal/fieldpath"
)

// step is one part of a field path.
type step = fieldpath.Step

// rootField names the whole object, in files as in errors.
const rootField = fieldpath.Root

// anyItem recognizes the only wildcard of a field pattern: one index or map key.
func anyItem(s step) bool { return s.Bracket && s.Text == "*" }

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
	case slices.EqualFunc(a, b, func(a, b step) bool { return a == b || a.Bracket && b.Bracket }):
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
		if !step.Bracket {
			return step.Text
		}
	}
	return ""
}

// fieldPattern names fields: literally, but for [*], which stands for one list
// index or map key, and a ".**" at the end, which adds all that is below.
// "<nil>" is the root, as apimachinery prints it.
type fieldPattern struct {
	source string
	steps  []step
	below  bool
}

// subtree ends a pattern that names a field and all that is below it.
const subtree = ".**"

// UnmarshalText reads a pattern; it is an encoding.TextUnmarshaler so that
// files report mistakes at its line.
func (p *fieldPattern) UnmarshalText(text []byte) error {
	source := strings.TrimSpace(string(text))
	if source == "" {
		return fmt.Errorf("an empty field; write %s for the root of the object", rootField)
	}
	top, below := strings.CutSuffix(source, subtree)
	steps := fieldpath.Split(top)
	for _, step := range steps {
		switch {
		case anyItem(step):
		case strings.Contains(step.Text, "*"):
			return fmt.Errorf("field %q: the only wildcards are [*], for one index or key, and .** at the end, for all that is below", source)
		case step.Text == "":
			return fmt.Errorf("field %q has an empty part", source)
		}
	}
	if strings.Count(source, "[") != strings.Count(source, "]") {
		return fmt.Errorf("field %q: a bracket is not closed", source)
	}
	if strings.HasPrefix(source, ".") || strings.HasSuffix(source, ".") || strings.Contains(source, "..") {
		return errors.New("field " + strconv.Quote(source) + " has an empty part")
	}
	*p = fieldPattern{source: source, steps: steps, below: below}
	return nil
}

// String gives the pattern as it was written.
func (p fieldPattern) String() string { return p.source }

// IsZero says that no pattern was given.
func (p fieldPattern) IsZero() bool { return p.source == "" }

// Matches says whether a field is one of those that the pattern names.
func (p fieldPattern) Matches(fieldPath string) bool { return p.matches(fieldpath.Split(fieldPath)) }

func (p fieldPattern) matches(steps []step) bool {
	if len(steps) > 0 && steps[0] == (step{}) {
		steps = steps[1:] // the API server writes ".spec.replicas" of a scale; no pattern has that dot
	}
	if p.below {
		steps = steps[:min(len(steps), len(p.steps))]
	}
	return slices.EqualFunc(p.steps, steps, func(want, got step) bool {
		return want == got || anyItem(want) && got.Bracket
	})
}

// overlaps says whether some field is named by both patterns.
func (p fieldPattern) overlaps(other fieldPattern) bool {
	mine, others := p.steps, other.steps
	if p.below {
		others = others[:min(len(others), len(mine))]
	}
	if other.below {
		mine = mine[:min(len(mine), len(others))]
	}
	return slices.EqualFunc(mine, others, func(a, b step) bool {
		return a == b || anyItem(a) && b.Bracket || anyItem(b) && a.Bracket
	})
}

// example gives a field that the pattern names.
func (p fieldPattern) example() string {
	return strings.ReplaceAll(strings.TrimSuffix(p.source, subtree), "[*]", "[0]")
}

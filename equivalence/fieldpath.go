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

// anyItem reports whether a step is the wildcard for one index or map key.
func anyItem(s step) bool { return s.Bracket && s.Text == "*" }

// Distances between two different fields. The closer they are, the more likely both show the same error.
const (
	otherIndex = iota // equal except for indices and keys
	contains          // one is an ancestor of the other
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

// fieldPattern matches fields literally, except that [*] matches one list index or map key, and ".**" at
// the end adds everything below. "<nil>" is the root, as apimachinery prints it.
type fieldPattern struct {
	source string
	steps  []step
	below  bool
}

// subtree ends a pattern for a field and everything below it.
const subtree = ".**"

// UnmarshalText reads a pattern. It implements encoding.TextUnmarshaler, so that files report mistakes
// with their line.
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
			return fmt.Errorf("field %q: the only wildcards are [*], for one index or key, and .** at the end, for all that is below",
				source)
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

// String returns the pattern as written.
func (p fieldPattern) String() string { return p.source }

// IsZero reports whether no pattern was given.
func (p fieldPattern) IsZero() bool { return p.source == "" }

// Matches reports whether the pattern names a field.
func (p fieldPattern) Matches(fieldPath string) bool { return p.matches(fieldpath.Split(fieldPath)) }

func (p fieldPattern) matches(steps []step) bool {
	if len(steps) > 0 && steps[0] == (step{}) {
		steps = steps[1:] // the API server writes ".spec.replicas" for a scale; no pattern has that dot
	}
	if p.below {
		steps = steps[:min(len(steps), len(p.steps))]
	}
	return slices.EqualFunc(p.steps, steps, func(want, got step) bool {
		return want == got || anyItem(want) && got.Bracket
	})
}

// overlaps reports whether some field matches both patterns.
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

// example returns a field that the pattern names.
func (p fieldPattern) example() string {
	return strings.ReplaceAll(strings.TrimSuffix(p.source, subtree), "[*]", "[0]")
}

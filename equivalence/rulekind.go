package equivalence

import (
	"fmt"
	"strings"

	"github.com/diffrun/diffrun/internal/fieldpath"
)

// RuleKind says in which way a rule pairs errors. It is a closed set.
type RuleKind string

const (
	// Wording: an error of each side, in other words or at another field.
	Wording RuleKind = "wording"
	// Hides: an error that both sides report keeps one of them from looking
	// further, so that the other says more.
	Hides RuleKind = "hides"
	// Joins: one error of a side says what several of the other say.
	Joins RuleKind = "joins"
	// Repeats: a side says the very same more than once.
	Repeats RuleKind = "repeats"
	// Origin: the two name the same origin, see Matcher.ByOrigin. No file holds
	// such a rule.
	Origin RuleKind = "origin"
	// Verdict: the native side only says no, so nothing but the verdict can be
	// compared. No file holds such a rule.
	Verdict RuleKind = "verdict"
	// Unchecked: the schema says itself that it did not look at its rules, because the
	// object has no shape that they could run on. No file holds such a rule.
	Unchecked RuleKind = "unchecked"
	// Policy: a denial by a ValidatingAdmissionPolicy, which names no field, has the text
	// of the other error. No file holds such a rule.
	Policy RuleKind = "policy"
)

// sideName is native or declarative, as a file names them.
type sideName string

const (
	nativeSide      sideName = "native"
	declarativeSide sideName = "declarative"
)

func (s *sideName) UnmarshalText(text []byte) error {
	if *s = sideName(text); *s == nativeSide || *s == declarativeSide {
		return nil
	}
	return fmt.Errorf("unknown side %q; accepted: %s, %s", text, nativeSide, declarativeSide)
}

// pattern gives the pattern for the texts of a side, or nil.
func (r *Rule) pattern(of sideName) *pattern {
	if of == nativeSide {
		return r.native.detail
	}
	return r.declarative.detail
}

// stopsAt says whether an error is one that keeps the rule's side from looking
// further.
func (r *Rule) stopsAt(l line) bool {
	at := r.field.matches(l.steps) || r.field.IsZero() && len(l.steps) > 0
	return l.err.Type == r.NativeType && at && r.pattern(r.of).matchesLine(l)
}

// hiddenPart is what an error hides: a field and all that is below it, or ".**", what is below the
// error, wherever that stands.
type hiddenPart struct{ fieldPattern }

// UnmarshalText reads a field pattern or ".**".
func (p *hiddenPart) UnmarshalText(text []byte) error {
	if strings.TrimSpace(string(text)) == subtree {
		p.fieldPattern = fieldPattern{source: subtree, below: true}
		return nil
	}
	return p.fieldPattern.UnmarshalText(text)
}

// hidesBelow says that the hidden fields are those below the error, wherever it stands.
func (r *Rule) hidesBelow() bool { return r.hides.source == subtree }

// hidden gives the key of the field at which and below which an error hides
// what the other side says. Below the error itself where hides is its field.
func (r *Rule) hidden(by line) string {
	if r.hidesBelow() {
		return stepsKey(by.steps)
	}
	steps := append([]step{}, by.steps[:r.sharedSteps()]...)
	return stepsKey(append(steps, r.hides.steps[len(steps):]...))
}

// sharedSteps is how far the two patterns of a rule go the same way; what [*]
// stands for there must be the same in both fields.
func (r *Rule) sharedSteps() int {
	shared := 0
	for shared < min(len(r.field.steps), len(r.hides.steps)) && r.field.steps[shared] == r.hides.steps[shared] {
		shared++
	}
	return shared
}

// hidesItself says that the hidden fields are those below the error.
func (r *Rule) hidesItself() bool {
	return r.sharedSteps() == len(r.hides.steps) && r.sharedSteps() == len(r.field.steps)
}

func stepsKey(steps []step) string {
	var key strings.Builder
	for _, step := range steps {
		if step.Bracket {
			key.WriteString("[")
		}
		key.WriteString(fieldpath.JoinKey(step.Text))
	}
	return key.String()
}

// partGroup is the group that captures, on the side that joins, all texts and,
// on the other side, one of them.
const partGroup = "part"

// parts gives the texts that an error joins; fewer than two are none.
func (r *Rule) parts(l line) []string {
	for _, text := range l.texts() {
		if captured, ok := r.pattern(r.of).capture(text); ok {
			if parts := strings.Split(captured[partGroup], r.separator); len(parts) > 1 {
				return parts
			}
		}
	}
	return nil
}

// partKey gives the place and the text by which an error is found that another
// one may have joined with its like.
func (r *Rule) partKey(l line) (string, bool) {
	if !r.concerns(l) {
		return "", false
	}
	for _, text := range l.texts() {
		if captured, ok := r.pattern(r.of.other()).capture(text); ok {
			return fieldpath.JoinKey(l.field, captured[partGroup]), true
		}
	}
	return "", false
}

// concerns says whether an error has the type and field of a rule about one
// side or about equal types.
func (r *Rule) concerns(l line) bool {
	return l.err.Type == r.NativeType && !l.mute() && (r.field.IsZero() || r.field.matches(l.steps))
}

func (s sideName) other() sideName {
	if s == nativeSide {
		return declarativeSide
	}
	return nativeSide
}

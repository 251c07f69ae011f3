package equivalence

import (
	"fmt"
	"strings"

	"github.com/diffrun/diffrun/internal/fieldpath"
)

// The ways in which a rule pairs errors (Rule.Kind).
const (
	// kindWording: one error of each side, with different texts or fields.
	kindWording = "wording"
	// kindHides: an error that both sides report stops one of them, so the other reports more.
	kindHides = "hides"
	// kindJoins: one error of a side joins several errors of the other.
	kindJoins = "joins"
	// kindRepeats: a side reports the same error more than once.
	kindRepeats = "repeats"
	// kindOrigin: both errors have the same origin; see Matcher.ByOrigin. No file has such a rule.
	kindOrigin = "origin"
	// kindVerdict: the native side gives no reason, so only the verdict can be compared. No file has such a
	// rule.
	kindVerdict = "verdict"
	// kindUnchecked: the schema reports that it did not check its rules, because they cannot run on an object
	// of this shape. No file has such a rule.
	kindUnchecked = "unchecked"
	// kindDecoding: the native validator could not decode the object, so that it checked nothing else. No file
	// has such a rule.
	kindDecoding = "decoding"
	// kindPolicy: a denial by a ValidatingAdmissionPolicy, which names no field, has the text of the other
	// error. No file has such a rule.
	kindPolicy = "policy"
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

// JSONSchema implements strictyaml.Described.
func (sideName) JSONSchema() map[string]any {
	return map[string]any{"enum": []sideName{nativeSide, declarativeSide}}
}

// pattern returns the pattern for the texts of a side, or nil.
func (r *Rule) pattern(of sideName) *pattern {
	if of == nativeSide {
		return r.native.detail
	}
	return r.declarative.detail
}

// stopsAt reports whether an error stops the validation of the rule's side.
func (r *Rule) stopsAt(l line) bool {
	at := r.field.matches(l.steps) || r.field.IsZero() && len(l.steps) > 0
	return l.err.Type == r.NativeType && at && r.pattern(r.of).matchesLine(l)
}

// hiddenPart is what an error hides: a field and everything below it, or ".**", everything below the
// field of the error.
type hiddenPart struct{ fieldPattern }

// UnmarshalText reads a field pattern or ".**".
func (p *hiddenPart) UnmarshalText(text []byte) error {
	if strings.TrimSpace(string(text)) == subtree {
		p.fieldPattern = fieldPattern{source: subtree, below: true}
		return nil
	}
	return p.fieldPattern.UnmarshalText(text)
}

// hidesBelow reports whether the rule hides the fields below the error, at any field.
func (r *Rule) hidesBelow() bool { return r.hides.source == subtree }

// hidden returns the key of the field at and below which an error hides errors of the other side. If
// hides is the error's own field, only fields below are hidden.
func (r *Rule) hidden(by line) string {
	if r.hidesBelow() {
		return stepsKey(by.steps)
	}
	steps := append([]step{}, by.steps[:r.sharedSteps()]...)
	return stepsKey(append(steps, r.hides.steps[len(steps):]...))
}

// sharedSteps returns the length of the common prefix of field and hides. There, [*] must match the same
// item in both fields.
func (r *Rule) sharedSteps() int {
	shared := 0
	for shared < min(len(r.field.steps), len(r.hides.steps)) && r.field.steps[shared] == r.hides.steps[shared] {
		shared++
	}
	return shared
}

// hidesItself reports whether hides is the field of the error.
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

// partGroup is the group that captures all texts on the side that joins, and one of them on the other
// side.
const partGroup = "part"

// parts returns the texts that an error joins, or nil if there are fewer than two.
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

// partKey returns the key of field and text for an error that the other side may have joined.
func (r *Rule) partKey(l line) (string, bool) {
	if !r.mayMatch(l) {
		return "", false
	}
	for _, text := range l.texts() {
		if captured, ok := r.pattern(r.of.other()).capture(text); ok {
			return fieldpath.JoinKey(l.field, captured[partGroup]), true
		}
	}
	return "", false
}

// mayMatch reports whether an error has the type and field of a rule about one side or about equal types.
func (r *Rule) mayMatch(l line) bool {
	return l.err.Type == r.NativeType && !l.mute() && (r.field.IsZero() || r.field.matches(l.steps))
}

func (s sideName) other() sideName {
	if s == nativeSide {
		return declarativeSide
	}
	return nativeSide
}

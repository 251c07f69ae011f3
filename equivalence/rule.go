package equivalence

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/fieldpath"
	"github.com/diffrun/diffrun/userfile"
)

// Rule says that two errors which are worded differently mean the same. It is
// immutable; RuleSets share it.
type Rule struct {
	// Name is unique in a RuleSet.
	Name string
	// Why tells a reviewer what makes the two wordings equal.
	Why string
	// NativeType and DeclarativeType are the error types that the rule is
	// about. They differ only where the file says both.
	NativeType, DeclarativeType field.ErrorType
	// Position is where the rule stands.
	Position userfile.Position
	// Kind says in which way the rule pairs errors.
	Kind RuleKind
	// Match holds errors that the rule makes equivalent, Differ near misses that
	// it must not. Both were tried when the rule was loaded.
	Match, Differ []Example
	// Builtin says that the rule ships with the project.
	Builtin bool

	target              targetPattern   // zero: any kind and version
	field               fieldPattern    // zero: any field
	native, declarative errorShape      // of a rule that is about one side, the other is zero
	of                  sideName        // which side hides, joins or repeats
	hides               fieldPattern    // what is not looked at
	separator           string          // of what is joined
	shared              []string        // groups that must capture equal text, sorted
	unordered           map[string]bool // of shared: compared as lists without order
	value               *pattern        // of the bad value; nil: any
	amount              amount          // what texts stand for that are bad values
}

// Target gives the target as it was written; empty: every kind and version.
func (r *Rule) Target() string { return r.target.source }

// Concerns says whether the rule is about a version of a kind.
func (r *Rule) Concerns(version schema.GroupVersionKind) bool {
	return r.target.source == "" || r.target.matches(version)
}

// Example is what each side reports: an error of each, or, where the rule is of
// another kind than Wording, more. Declared is what the schema says there.
type Example struct {
	Native, Declarative field.ErrorList
	Declared            Declarations
}

// errorShape is what a rule requires of the error of one side.
type errorShape struct {
	// detail is nil where the texts must be the same.
	detail *pattern
	// field rewrites the field: where a rule has it, not the fields are
	// compared but what its groups capture.
	field *pattern
	// schema is what the keywords of the schema must say at the field. Only the
	// declarative side has it.
	schema []keywordPattern
}

// key gives what an error of one side must have in common with an error of the
// other for the rule to make them equivalent. It fails when the rule is not
// about this error.
func (r *Rule) key(l line, s errorShape, errorType field.ErrorType) (string, bool) {
	if errorType != "" && l.err.Type != errorType || l.mute() || !r.field.IsZero() && !r.field.matches(l.steps) {
		return "", false
	}
	place, captured := l.field, map[string]string{}
	if s.field != nil {
		found, ok := s.field.capture(l.field)
		if !ok {
			return "", false
		}
		place, captured = "", found
	}
	for _, demanded := range s.schema {
		found, ok := demanded.capture(l)
		if !ok || !addCaptured(captured, found) {
			return "", false
		}
	}
	if s.detail == nil {
		return fieldpath.JoinKey(r.keyOf(place, captured), string(l.err.Type), l.detail), true
	}
	for _, text := range l.texts() {
		if found, ok := s.detail.capture(text); ok && addCaptured(found, captured) {
			return r.keyOf(place, found), true
		}
	}
	return "", false
}

// addCaptured adds what groups captured; it fails where a group captured another text
// before.
func addCaptured(to, found map[string]string) bool {
	for group, text := range found {
		if before, twice := to[group]; twice && before != text {
			return false
		}
		to[group] = text
	}
	return true
}

func (r *Rule) nativeKey(l line) (string, bool) { return r.key(l, r.native, r.NativeType) }

func (r *Rule) declarativeKey(l line) (string, bool) {
	return r.key(l, r.declarative, r.DeclarativeType)
}

func (r *Rule) keyOf(place string, captured map[string]string) string {
	for group := range r.unordered {
		if text, there := captured[group]; there {
			items := splitList(text)
			slices.Sort(items)
			captured[group] = fieldpath.JoinKey(items...)
		}
	}
	return fieldpath.JoinKey(place, captureKey(captured, r.shared))
}

// captureKey makes one key of what groups captured. A group that is not part of a match
// is not the same as one that is empty.
func captureKey(captured map[string]string, groups []string) string {
	parts := make([]string, len(groups))
	for i, group := range groups {
		if text, there := captured[group]; there {
			parts[i] = "=" + text
		}
	}
	return fieldpath.JoinKey(parts...)
}

// explains says whether the rule makes the two errors equivalent.
func (r *Rule) explains(native, declarative line) bool {
	a, ok := r.nativeKey(native)
	if !ok {
		return false
	}
	b, ok := r.declarativeKey(declarative)
	return ok && a == b && r.holds(native, declarative)
}

// splitList cuts a list as messages print it at its commas, but not inside quotes. A single quote that
// does not begin an item is an apostrophe.
func splitList(text string) []string {
	var items []string
	quote, start := byte(0), 0
	for i := 0; i < len(text); i++ {
		switch {
		case quote == '"' && text[i] == '\\':
			i++
		case quote != 0:
			if text[i] == quote {
				quote = 0
			}
		case text[i] == '"' || (text[i] == '\'' || text[i] == '`') && strings.TrimSpace(text[start:i]) == "":
			quote = text[i]
		case text[i] == ',':
			items = append(items, strings.TrimSpace(text[start:i]))
			start = i + 1
		}
	}
	return append(items, strings.TrimSpace(text[start:]))
}

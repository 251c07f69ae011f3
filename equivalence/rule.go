package equivalence

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/internal/fieldpath"
	"github.com/diffrun/diffrun/userfile"
)

// Rule makes two errors with different wording equivalent. It is immutable; RuleSets share it.
type Rule struct {
	// Name is unique in a RuleSet.
	Name string
	// Why explains to reviewers why the two wordings are equal.
	Why string
	// NativeType and DeclarativeType are the error types of the rule. They differ only if the file sets
	// both.
	NativeType, DeclarativeType field.ErrorType
	// Position is its place in the file.
	Position userfile.Position
	// Kind is the way in which the rule pairs errors, such as "wording".
	Kind string
	// Match holds errors that the rule makes equivalent, Differ near misses that it must not. Loading the
	// rule checks both.
	Match, Differ []Example
	// Builtin is true if the rule ships with the project.
	Builtin bool

	target              targetPattern   // zero: any kind and version
	field               fieldPattern    // zero: any field
	native, declarative errorShape      // if a rule is about one side, the other is zero
	of                  sideName        // which side hides, joins or repeats
	hides               fieldPattern    // the fields that are not checked
	separator           string          // between joined texts
	shared              []string        // groups that must capture equal text, sorted
	unordered           map[string]bool // those of shared that are unordered lists
	value               *pattern        // of the bad value; nil: any
	amount              amount          // what bad values that are texts represent
}

// Target returns the target as written; empty means every kind and version.
func (r *Rule) Target() string { return r.target.source }

// AppliesTo reports whether the rule is about a version of a kind.
func (r *Rule) AppliesTo(version schema.GroupVersionKind) bool {
	return r.target.source == "" || r.target.matches(version)
}

// Example has the errors of each side: one each for kind Wording, possibly more for other kinds. Declared
// is the schema.
type Example struct {
	Native, Declarative field.ErrorList
	Declared            difference.Declarations
}

// errorShape is what a rule requires of the error of one side.
type errorShape struct {
	// detail is nil if the texts must be equal.
	detail *pattern
	// field rewrites the field: if it is set, the texts of its groups are compared, not the fields.
	field *pattern
	// schema has patterns for keywords of the schema at the field. Only the declarative side has it.
	schema []keywordPattern
}

// key returns a key that is equal for errors of both sides that the rule makes equivalent. It returns
// false if the rule is not about this error.
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

// addCaptured adds captured texts; it returns false if a group captured a different text.
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

// captureKey joins the captured texts of groups into one key. A missing group differs from an empty one.
func captureKey(captured map[string]string, groups []string) string {
	parts := make([]string, len(groups))
	for i, group := range groups {
		if text, there := captured[group]; there {
			parts[i] = "=" + text
		}
	}
	return fieldpath.JoinKey(parts...)
}

// explains reports whether the rule makes the two errors equivalent.
func (r *Rule) explains(native, declarative line) bool {
	a, ok := r.nativeKey(native)
	if !ok {
		return false
	}
	b, ok := r.declarativeKey(declarative)
	return ok && a == b && r.holds(native, declarative)
}

// splitList splits a list of a message at its commas, except inside quotes. A single quote that does not
// begin an item is an apostrophe.
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

package equivalence

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/strictyaml"
)

//go:embed rules.yaml
var builtinRules []byte

// builtinFile names the embedded rules in messages.
const builtinFile = "equivalence/rules.yaml"

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
	Position strictyaml.Position
	// Match holds errors that the rule makes equivalent, Differ near misses that
	// it must not. Both were tried when the rule was loaded.
	Match, Differ []Example
	// Builtin says that the rule ships with the project.
	Builtin bool

	field               FieldPattern // zero: any field
	native, declarative side
	shared              []string        // groups that must capture equal text, sorted
	unordered           map[string]bool // of shared: compared as lists without order
}

// Example is an error of each side.
type Example struct{ Native, Declarative *field.Error }

// side is what a rule asks of the error of one side.
type side struct {
	detail *pattern
	// field rewrites the field: where a rule has it, not the fields are
	// compared but what its groups capture.
	field *pattern
}

// key gives what an error of one side must have in common with an error of the
// other for the rule to make them equivalent. It fails when the rule is not
// about this error.
func (r *Rule) key(l line, s side, errorType field.ErrorType) (string, bool) {
	if l.err.Type != errorType || l.mute() || !r.field.IsZero() && !r.field.matches(l.steps) {
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
	for _, text := range l.texts() {
		found, ok := s.detail.capture(text)
		if !ok {
			continue
		}
		for group, text := range found {
			captured[group] = text
		}
		return r.keyOf(place, captured), true
	}
	return "", false
}

func (r *Rule) nativeKey(l line) (string, bool) { return r.key(l, r.native, r.NativeType) }

func (r *Rule) declarativeKey(l line) (string, bool) {
	return r.key(l, r.declarative, r.DeclarativeType)
}

func (r *Rule) keyOf(place string, captured map[string]string) string {
	parts := []string{place}
	for _, group := range r.shared {
		text := captured[group]
		if r.unordered[group] {
			items := splitList(text)
			slices.Sort(items)
			text = joinKey(items...)
		}
		parts = append(parts, text)
	}
	return joinKey(parts...)
}

// explains says whether the rule makes the two errors equivalent.
func (r *Rule) explains(native, declarative line) bool {
	a, ok := r.nativeKey(native)
	if !ok {
		return false
	}
	b, ok := r.declarativeKey(declarative)
	return ok && a == b && !native.contradicts(declarative)
}

// splitList cuts a list as messages print it at its commas, but not inside
// double quotes.
func splitList(text string) []string {
	var items []string
	quoted, start := false, 0
	for i := 0; i < len(text); i++ {
		switch {
		case quoted && text[i] == '\\':
			i++
		case text[i] == '"':
			quoted = !quoted
		case text[i] == ',' && !quoted:
			items = append(items, strings.TrimSpace(text[start:i]))
			start = i + 1
		}
	}
	return append(items, strings.TrimSpace(text[start:]))
}

// RuleSet is an ordered set of rules. It is immutable and safe for many
// goroutines; the zero value and nil hold no rule.
type RuleSet struct{ rules []*Rule }

// BuiltinRules gives the rules for the wording of Kubernetes' hand-written
// validators against the one of kube-openapi and apiextensions-apiserver.
func BuiltinRules() (*RuleSet, error) {
	set, err := LoadRules(builtinFile, builtinRules)
	if err != nil {
		return nil, err
	}
	for _, rule := range set.rules {
		rule.Builtin = true
	}
	return set, nil
}

// JoinRules puts sets together; where several rules explain a pair, the first
// one is named. A name that occurs twice is a strictyaml.Mistakes.
func JoinRules(sets ...*RuleSet) (*RuleSet, error) {
	var joined RuleSet
	var mistakes strictyaml.Mistakes
	named := map[string]*Rule{}
	for _, set := range sets {
		for _, rule := range set.All() {
			if first, twice := named[rule.Name]; twice {
				mistakes = append(mistakes, nameTaken(rule.Name, rule.Position, first.Position))
				continue
			}
			named[rule.Name] = rule
			joined.rules = append(joined.rules, rule)
		}
	}
	if err := mistakes.Err(); err != nil {
		return nil, err
	}
	return &joined, nil
}

func nameTaken(name string, at, first strictyaml.Position) strictyaml.Mistake {
	return strictyaml.Mistake{Position: at, Message: fmt.Sprintf("rule %q has the name of the rule at %s; give it another one", name, first)}
}

// All gives the rules in their order.
func (s *RuleSet) All() []*Rule {
	if s == nil {
		return nil
	}
	return slices.Clone(s.rules)
}

// Lookup finds a rule by its name.
func (s *RuleSet) Lookup(name string) (*Rule, bool) {
	for _, rule := range s.All() {
		if rule.Name == name {
			return rule, true
		}
	}
	return nil, false
}

// Without gives the set without one rule.
func (s *RuleSet) Without(name string) *RuleSet {
	return &RuleSet{rules: slices.DeleteFunc(s.All(), func(rule *Rule) bool { return rule.Name == name })}
}

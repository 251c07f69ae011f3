package equivalence

import (
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// ruleBuilder turns an entry of a file into a rule and collects everything
// that is wrong with it.
type ruleBuilder struct {
	entry    ruleEntry
	mistakes *strictyaml.Mistakes
	failed   bool
	origin   ruleOrigin
}

// ruleOrigin decides which checks a rule needs. It is a closed set.
type ruleOrigin int

const (
	// ofUsers: all checks.
	ofUsers ruleOrigin = iota
	// builtinTested: all but open words, which were reviewed: testdata/openwords.golden lists them.
	builtinTested
	// builtinLoaded: those without which a rule cannot be compiled. TestBuiltinRules does the others.
	builtinLoaded
)

func (b *ruleBuilder) addf(format string, args ...any) {
	b.failed = true
	b.mistakes.Addf(b.entry.Position, "rule %q: "+format, append([]any{b.entry.Name}, args...)...)
}

// build returns nil if something is wrong.
func (b *ruleBuilder) build() *Rule {
	entry := b.entry
	if entry.Name == "" {
		b.addf("name is missing")
	}
	if entry.Why == "" {
		b.addf("why is missing; explain why the two wordings mean the same")
	}
	rule := &Rule{Name: entry.Name, Why: entry.Why, Position: entry.Position, Kind: b.kind(), target: entry.Target, field: entry.Field}
	b.types(rule)
	switch rule.Kind {
	case kindWording:
		b.wording(rule)
	case kindHides:
		b.hides(rule)
	case kindJoins:
		b.joins(rule)
	case kindRepeats:
		b.repeats(rule)
	}
	if !b.failed {
		b.examples(rule)
	}
	if len(entry.Examples.Match) == 0 || len(entry.Examples.Differ) == 0 {
		b.addf("examples must hold both match (pairs that mean the same) and differ (near misses)")
	}
	if b.failed {
		return nil
	}
	return rule
}

// wording reads a rule about one error of each side.
func (b *ruleBuilder) wording(rule *Rule) {
	if b.entry.Text != "" {
		b.sameText(rule)
	} else {
		rule.native.detail = b.detail("native", b.entry.Native, rule.NativeType)
		rule.declarative.detail = b.detail("declarative", b.entry.Declarative, rule.DeclarativeType)
	}
	rule.declarative.schema = b.schemaPatterns()
	rule.amount = b.entry.Amount
	if b.entry.Value != "" {
		compiled, err := compilePattern(b.entry.Value)
		if err != nil {
			b.addf("value: %v", err)
		}
		rule.value = compiled
	}
	b.fields(rule)
	if b.failed {
		return
	}
	if b.entry.Text == "" && rule.native.detail.source == "" && rule.declarative.detail.source == "" &&
		rule.NativeType == rule.DeclarativeType && rule.native.field == nil {
		b.addf("both patterns are empty; two errors without text are equal without a rule")
	}
	b.groups(rule)
	b.breadth(rule, rule.shared)
	if rule.native.field != nil && b.origin != builtinLoaded {
		if native, declarative := rule.tied(); native != "" {
			b.addf("nativeField and declarativeField take %s and %s for one field; let their groups capture more", native, declarative)
		} else {
			b.openFields(rule)
		}
	}
}

func (b *ruleBuilder) types(rule *Rule) {
	one, native, declarative := b.entry.Type, b.entry.NativeType, b.entry.DeclarativeType
	switch {
	case one != nil && native == nil && declarative == nil:
		native, declarative = one, one
	case one == nil && native != nil && declarative != nil && rule.Kind == kindWording:
	case one == nil && native == nil && declarative == nil && b.entry.Text != "":
		return // any type, the same on both sides
	case rule.Kind != kindWording:
		b.addf("a rule with %s gives type", rule.Kind)
	default:
		b.addf("give either type, or nativeType and declarativeType where the two differ")
	}
	rule.NativeType, rule.DeclarativeType = field.ErrorType(orZero(native)), field.ErrorType(orZero(declarative))
}

// detail compiles the pattern of a text.
func (b *ruleBuilder) detail(key string, source *string, errorType field.ErrorType) *pattern {
	if source == nil {
		b.addf("%s is missing; it is a regular expression for the whole text", key)
		return nil
	}
	compiled, err := compilePattern(*source)
	if err != nil {
		b.addf("%s: %v", key, err)
		return nil
	}
	if *source == "" && hasNoText(errorType) {
		return compiled // matches only an error without text, which these types have
	}
	if b.origin == builtinLoaded {
		return compiled
	}
	if reason := compiled.tooOpen(); reason != "" {
		b.addf("%s: the pattern %q %s", key, *source, reason)
	}
	return compiled
}

// breadth rejects patterns that match too many messages.
func (b *ruleBuilder) breadth(rule *Rule, compared []string) {
	if b.origin == builtinLoaded {
		return
	}
	for _, of := range []struct {
		key       string
		detail    *pattern
		errorType field.ErrorType
	}{{"native", rule.native.detail, rule.NativeType}, {"declarative", rule.declarative.detail, rule.DeclarativeType}} {
		if of.detail == nil {
			continue
		}
		if reason := of.detail.tooBroad(compared, of.errorType); reason != "" {
			b.addf("%s: the pattern %q %s", of.key, of.detail.source, reason)
		}
	}
}

// fields compiles the patterns that rewrite fields. They must share a group, because only groups relate
// the two fields.
func (b *ruleBuilder) fields(rule *Rule) {
	native, declarative := b.entry.NativeField, b.entry.DeclarativeField
	if native == "" && declarative == "" {
		return
	}
	if native == "" || declarative == "" {
		b.addf("nativeField and declarativeField go together")
		return
	}
	if !rule.field.IsZero() {
		b.addf("field and nativeField exclude each other")
	}
	rule.native.field = b.fieldPattern("nativeField", native)
	rule.declarative.field = b.fieldPattern("declarativeField", declarative)
	if b.failed {
		return
	}
	if len(common(rule.native.field.groups(), rule.declarative.field.groups())) == 0 {
		b.addf("nativeField and declarativeField share no named group, so any two fields would do")
	}
}

// unrelatedFields returns fields that no rule may make equivalent.
func unrelatedFields() []string {
	return []string{"metadata.name", "spec.containers[0].image", "spec.template.spec.volumes[1].name", "status.replicas", "data[key]"}
}

// tied returns two unrelated fields that the rule makes equivalent, if there are any.
func (r *Rule) tied() (native, declarative string) {
	ties := common(r.native.field.groups(), r.declarative.field.groups())
	for _, native := range unrelatedFields() {
		for _, declarative := range unrelatedFields() {
			a, okA := r.native.field.capture(native)
			b, okB := r.declarative.field.capture(declarative)
			same := func(group string) bool { return a[group] == b[group] }
			if native != declarative && okA && okB && !slices.ContainsFunc(ties, func(group string) bool { return !same(group) }) {
				return native, declarative
			}
		}
	}
	return "", ""
}

func (b *ruleBuilder) fieldPattern(key, source string) *pattern {
	compiled, err := compilePattern(source)
	if err != nil {
		b.addf("%s: %v", key, err)
		return nil
	}
	return compiled
}

// groups sets the groups that both sides capture.
func (b *ruleBuilder) groups(rule *Rule) {
	native, declarative := b.sideGroups("native", rule.native), b.sideGroups("declarative", rule.declarative)
	rule.shared = common(native, declarative)
	b.uncompared(rule, native, declarative)
	rule.unordered = map[string]bool{}
	for _, group := range b.entry.Unordered {
		if !slices.Contains(rule.shared, group) {
			b.addf("unordered names %q; groups of both patterns: %q", group, rule.shared)
		}
		rule.unordered[group] = true
	}
}

func (b *ruleBuilder) sideGroups(key string, s errorShape) []string {
	var groups []string
	if s.detail != nil {
		groups = s.detail.groups()
	}
	if s.field != nil {
		for _, group := range common(groups, s.field.groups()) {
			b.addf("group %q is in both %s and %sField; rename one", group, key, key)
		}
		groups = append(groups, s.field.groups()...)
	}
	for _, demanded := range s.schema {
		for _, group := range demanded.pattern.groups() {
			if !slices.Contains(groups, group) {
				groups = append(groups, group)
			}
		}
	}
	slices.Sort(groups)
	return groups
}

// common returns the elements of both sorted lists.
func common(a, b []string) []string {
	both := map[string]bool{}
	for _, text := range a {
		if slices.Contains(b, text) {
			both[text] = true
		}
	}
	return slices.Sorted(maps.Keys(both))
}

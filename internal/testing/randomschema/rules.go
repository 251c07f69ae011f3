package randomschema

import (
	"fmt"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiserver/pkg/cel"

	"github.com/diffrun/diffrun/internal/explore/generate"
)

// typed reports whether the values of a schema have a type in CEL. Rules cannot name other values
// (k8s.io/apiserver/pkg/cel/common, SchemaDeclType).
func typed(s *props) bool {
	switch {
	case s.XIntOrString:
		return true
	case s.Type == "array":
		return typed(s.Items.Schema)
	case s.Type == "object" && s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil:
		return typed(s.AdditionalProperties.Schema)
	default:
		return s.Type != ""
	}
}

// rules makes one or two rules for the values of a schema.
func (b *builder) rules(s *props, correlates bool) apiextensionsv1.ValidationRules {
	var all apiextensionsv1.ValidationRules
	for range b.Between(1, 2) {
		rule := apiextensionsv1.ValidationRule{Rule: b.condition("self", s, 3)}
		if correlates && b.OneIn(3) {
			rule.Rule = b.transition(s)
			if b.OneIn(3) {
				rule.Rule, rule.OptionalOldSelf = b.optional(s), new(true)
			}
		}
		b.decorate(&rule, s)
		all = append(all, rule)
	}
	return all
}

// decorate adds a message, a reason or a field path to a rule.
func (b *builder) decorate(rule *apiextensionsv1.ValidationRule, s *props) {
	switch b.IntN(4) {
	case 1:
		rule.Message = "this does not hold"
	case 2:
		rule.MessageExpression = generate.Pick(b.Dice, `"because"`, `string(1) + " is wrong"`, `""`, `"a\nb"`)
		rule.Message = "the expression did not hold"
	case 3:
		switch s.Type {
		case "array":
			rule.MessageExpression = `"found " + string(self.size()) + " of " + string(1 / (self.size() - 1))`
		case "string", "integer", "number", "boolean":
			rule.MessageExpression = `"found " + string(self)`
		}
	}
	if b.OneIn(4) {
		rule.Reason = new(generate.Pick(b.Dice, apiextensionsv1.FieldValueRequired, apiextensionsv1.FieldValueForbidden,
			apiextensionsv1.FieldValueInvalid, apiextensionsv1.FieldValueDuplicate))
	}
	if b.OneIn(4) && s.Type == "object" && len(s.Properties) > 0 {
		if name := generate.Pick(b.Dice, sortedNames(s)...); !strings.ContainsAny(name, ".-é") {
			rule.FieldPath = "." + name
		} else {
			rule.FieldPath = "['" + name + "']"
		}
	}
}

// condition makes an expression of type bool about values of a schema.
func (b *builder) condition(expr string, s *props, depth int) string {
	switch {
	case s.XIntOrString:
		return b.template("type(%[1]s) == int || %[1]s.endsWith('%%')", "%[1]s != 80", "int(%[1]s) < 50", "%[1]s == '5'").of(expr)
	case s.Type == "string":
		return b.conditionOfText(expr, s)
	case s.Type == "integer":
		return b.template("%s > 1", "%s %% 2 == 0", "10 / %s < 5", "%s in [1, 2, 3]", "%s != 9223372036854775807 + 0",
			"string(%s) != '2'", "double(%s) < 2.5").of(expr)
	case s.Type == "number":
		return b.template("%s < 2.5", "%s > 0.0", "int(%s) == 2", "%s >= 1").of(expr)
	case s.Type == "boolean":
		return b.template("%s", "!%s").of(expr)
	case s.Type == "array":
		return b.conditionOfList(expr, s, depth)
	case s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil:
		key := fmt.Sprintf("k%d", depth)
		if depth > 1 && b.OneIn(2) {
			return fmt.Sprintf("%s.all(%s, %s)", expr, key, b.condition(expr+"["+key+"]", s.AdditionalProperties.Schema, depth-1))
		}
		return b.template("%s.size() < 2", "'k0' in %s", "%[1]s.all(k, k.startsWith('k'))", "%[1]s.exists(k, k == 'k1')",
			"has(%s.k0)").of(expr)
	default:
		return b.conditionOfObject(expr, s, depth)
	}
}

// template is an expression with a placeholder.
type template string

func (t template) of(expr string) string { return fmt.Sprintf(string(t), expr) }

func (b *builder) template(from ...template) template { return generate.Pick(b.Dice, from...) }

func (b *builder) conditionOfText(expr string, s *props) string {
	switch s.Format {
	case "date", "date-time":
		return template("%s > timestamp('2020-01-15T00:00:00Z')").of(expr)
	case "duration":
		return template("%s < duration('2h')").of(expr)
	case "byte":
		return b.template("size(%s) > 1", "%s == b'abc'").of(expr)
	}
	return b.template("%s.size() < 2", "%s.startsWith('a')", "%s.matches('^[a-z]*$')", "%s != 'ab'", "%s in ['a', 'b', '']",
		"%s.lowerAscii() == 'ab'", "isURL(%s)", "%[1]s.find('[0-9]+') == ''", "int(%s) > 1", "%s.split('b').size() == 1",
		"%s < 'b'").of(expr)
}

func (b *builder) conditionOfList(expr string, s *props, depth int) string {
	item := s.Items.Schema
	if depth > 1 && b.OneIn(2) {
		name := fmt.Sprintf("x%d", depth)
		macro := generate.Pick(b.Dice, "all", "exists", "exists_one")
		return fmt.Sprintf("%s.%s(%s, %s)", expr, macro, name, b.condition(name, item, depth-1))
	}
	choices := []template{
		"%s.size() < 2",
		"%[1]s == %[1]s",
		"%[1]s + %[1]s == %[1]s",
		"%[1]s.map(x, x).size() == 1",
		"%[1]s[0] == %[1]s[0]",
		"%[1]s[0] in %[1]s",
	}
	if b.OneIn(2) {
		choices = sums()
	}
	if item.Nullable {
		choices = append(choices, "%s.all(x, type(x) == null_type)", "(%[1]s + %[1]s).exists(x, type(x) != null_type)")
	}
	if item.Type == "integer" {
		choices = append(choices, "%s.sum() < 10", "%s.isSorted()", "%[1]s.max() < 3", "%[1]s.indexOf(1) < 1")
	}
	if item.Type == "string" && item.Format == "" {
		choices = append(choices, "%s.isSorted()", "'a' in %s", "%s.join(',') != 'a'")
	}
	return b.template(choices...).of(expr)
}

// sums lists conditions about the results of operators and library functions on lists.
func sums() []template {
	return []template{
		"(%[1]s + %[1]s).all(x, x == x)", "(%[1]s + %[1]s).size() < 4", "(%[1]s + %[1]s)[0] == %[1]s[0]", "%[1]s + [%[1]s[0]] == %[1]s",
		"[%[1]s[0]] + %[1]s == %[1]s + %[1]s", "(%[1]s + %[1]s + %[1]s).exists(x, x in %[1]s)", "%[1]s.all(x, x in (%[1]s + %[1]s))",
		"%[1]s.filter(x, x in %[1]s) == %[1]s", "%[1]s == %[1]s.map(x, x)", "%[1]s in [%[1]s]", "[%[1]s].all(s, s + s == s + s)",
		"[%[1]s] + [%[1]s] == [%[1]s, %[1]s]",
		"{'k': %[1]s} == {'k': %[1]s}", "sets.contains(%[1]s, %[1]s)", "sets.equivalent(%[1]s + %[1]s, %[1]s)",
		"sets.intersects(%[1]s, %[1]s + %[1]s)",
		"%[1]s.indexOf(%[1]s[0]) == 0", "(%[1]s + %[1]s).lastIndexOf(%[1]s[0]) > 0", "%[1]s.all(i, x, (%[1]s + %[1]s)[i] == x)",
		"%[1]s.distinct() == %[1]s", "(%[1]s + %[1]s).distinct().size() < 3", "%[1]s.slice(0, 1) == %[1]s",
		"(%[1]s + %[1]s).reverse() == %[1]s", "[%[1]s, %[1]s].flatten() == %[1]s + %[1]s",
	}
}

// nameable returns the properties that CEL can name.
func nameable(s *props) []string {
	var names []string
	for _, name := range sortedNames(s) {
		property := s.Properties[name]
		if _, ok := cel.Escape(name); ok && typed(&property) {
			names = append(names, name)
		}
	}
	return names
}

// conditionOfObject makes a condition about a property that CEL can name.
func (b *builder) conditionOfObject(expr string, s *props, depth int) string {
	names := nameable(s)
	if len(names) == 0 {
		return template("%[1]s == %[1]s").of(expr)
	}
	name := generate.Pick(b.Dice, names...)
	property := s.Properties[name]
	escaped, _ := cel.Escape(name)
	field := expr + "." + escaped
	if depth > 1 {
		switch condition := b.condition(field, &property, depth-1); b.IntN(4) {
		case 0:
			return fmt.Sprintf("!has(%s) || %s", field, condition)
		case 1:
			return fmt.Sprintf("has(%s) && %s", field, condition)
		case 2:
			return condition // an absent key is an error
		}
	}
	other, _ := cel.Escape(generate.Pick(b.Dice, names...))
	return generate.Pick(b.Dice, fmt.Sprintf("has(%s)", field), fmt.Sprintf("!has(%s)", field),
		fmt.Sprintf("has(%s) == has(%s.%s)", field, expr, other), fmt.Sprintf("%s == %s", expr, expr))
}

// optional makes a rule that compares a value with its old value, if there is one. The value of an
// optional oldSelf is a native CEL value.
func (b *builder) optional(s *props) string {
	choices := []string{
		"oldSelf.hasValue()",
		"!oldSelf.hasValue() || oldSelf.value() == self",
		"oldSelf.orValue(self) == self",
		"self == oldSelf.orValue(self)",
	}
	switch {
	case s.Type == "array":
		choices = append(choices, "self + oldSelf.orValue(self) == self", "self.size() < 2 || self[0] == oldSelf.orValue(self)[0]",
			"oldSelf.orValue(self) + self == self + oldSelf.orValue(self)", "(self + oldSelf.orValue(self)).all(x, x in self)",
			"self in [oldSelf.orValue(self)]",
			"sets.equivalent(self, oldSelf.orValue(self))", "oldSelf.orValue(self).all(x, x in self)")
	case s.Type == "object" && s.AdditionalProperties == nil && len(nameable(s)) > 0:
		name, _ := cel.Escape(generate.Pick(b.Dice, nameable(s)...))
		for _, form := range []template{
			"!has(self.%[1]s) || self.%[1]s == oldSelf.%[1]s.orValue(self.%[1]s)",
			"!has(self.%[1]s) || !oldSelf.%[1]s.hasValue() || oldSelf.%[1]s.value() == self.%[1]s",
			"has(self.%[1]s) == oldSelf.%[1]s.hasValue()",
		} {
			choices = append(choices, form.of(name))
		}
	}
	return generate.Pick(b.Dice, choices...)
}

// transition makes a rule that compares a value with its old value.
func (b *builder) transition(s *props) string {
	choices := []string{"self == oldSelf", "self != oldSelf"}
	switch {
	case s.XIntOrString:
	case s.Type == "integer" || s.Type == "number" || s.Type == "string" && s.Format == "":
		choices = append(choices, "self >= oldSelf")
	case s.Type == "array":
		choices = append(choices, "oldSelf.all(x, x in self)", "self.size() >= oldSelf.size()", "self + oldSelf == self",
			"self + oldSelf == oldSelf + self", "(self + oldSelf).size() < 4", "(self + oldSelf).all(x, x in self)",
			"sets.equivalent(self, oldSelf)",
			"self in [oldSelf]", "[self] == [oldSelf]", "[oldSelf].indexOf(self) == 0", "(self + oldSelf).exists_one(x, x == self[0])")
	case s.Type == "object" && s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil:
		choices = append(choices, "oldSelf.all(k, k in self)", "self.size() == oldSelf.size()")
	case s.Type == "object":
		choices = append(choices, b.condition("oldSelf", s, 1)+" || self == oldSelf")
	}
	return generate.Pick(b.Dice, choices...)
}

package generate_test

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/reference"
	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/testing/randomschema"
)

type props = apiextensionsv1.JSONSchemaProps

// keyword is a keyword that the generator makes: how to find it in a schema, the Go type of its values, and
// the reference's error for a violation.
type keyword struct {
	name     string
	set      func(s *props) bool
	acts     func(value any) bool
	violated string // of "type field: detail"; empty: it has no error of its own
}

func isText(v any) bool   { _, ok := v.(string); return ok }
func isNumber(v any) bool { _, ok := v.(int64); _, float := v.(float64); return ok || float }
func isList(v any) bool   { _, ok := v.([]any); return ok }
func isObject(v any) bool { _, ok := v.(map[string]any); return ok }
func isAny(any) bool      { return true }

func keywords() []keyword {
	rule := func(s *props, is func(apiextensionsv1.ValidationRule) bool) bool {
		return slices.ContainsFunc(s.XValidations, is)
	}
	listType := func(name string) func(*props) bool {
		return func(s *props) bool { return s.XListType != nil && *s.XListType == name }
	}
	return []keyword{
		{"type", func(s *props) bool { return s.Type != "" }, isAny, `must be of type \w+: `},
		{"nullable", func(s *props) bool { return s.Nullable }, func(v any) bool { return v == nil }, `of type \w+: "null"`},
		{"minimum", func(s *props) bool { return s.Minimum != nil && !s.ExclusiveMinimum }, isNumber, `should be greater than or equal to`},
		{"exclusiveMinimum", func(s *props) bool { return s.Minimum != nil && s.ExclusiveMinimum }, isNumber,
			`should be greater than -?\d`},
		{"maximum", func(s *props) bool { return s.Maximum != nil && !s.ExclusiveMaximum }, isNumber, `should be less than or equal to`},
		{"exclusiveMaximum", func(s *props) bool { return s.Maximum != nil && s.ExclusiveMaximum }, isNumber, `should be less than -?\d`},
		{"multipleOf", func(s *props) bool { return s.MultipleOf != nil }, isNumber, `should be a multiple of`},
		{"format of numbers", func(s *props) bool { return s.Format == "int32" }, isNumber, `must be of type integer with format int32`},
		{"minLength", func(s *props) bool { return s.MinLength != nil }, isText, `should be at least \d+ chars`},
		{"maxLength", func(s *props) bool { return s.MaxLength != nil }, isText, `FieldValueTooLong`},
		{"pattern", func(s *props) bool { return s.Pattern != "" }, isText, `should match`},
		{"format of strings", func(s *props) bool { return s.Type == "string" && s.Format != "" }, isText,
			`must be of type (date|ip|uri|uuid|mac|cidr|email|host|isbn|duration|byte|k8s|hex|ssn)`},
		{"enum", func(s *props) bool { return len(s.Enum) > 0 }, isAny, `FieldValueNotSupported`},
		{"required", func(s *props) bool { return len(s.Required) > 0 }, isObject, `FieldValueRequired \S+: $`},
		{"minProperties", func(s *props) bool { return s.MinProperties != nil }, isObject, `should have at least \d+ properties`},
		{"maxProperties", func(s *props) bool { return s.MaxProperties != nil && s.MaxItems == nil }, isObject, `FieldValueTooMany`},
		{"additionalProperties", func(s *props) bool {
			return s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil
		}, isObject, `\.k\d`},
		{"additionalProperties: false", func(s *props) bool {
			return s.AdditionalProperties != nil && !s.AdditionalProperties.Allows
		}, isObject, `is a forbidden property`},
		{"minItems", func(s *props) bool { return s.MinItems != nil }, isList, `should have at least \d+ items`},
		{"maxItems", func(s *props) bool { return s.MaxItems != nil }, isList, `FieldValueTooMany`},
		{"uniqueItems", func(s *props) bool { return s.UniqueItems }, isList, `shouldn't contain duplicates`},
		{"list type set", listType("set"), isList, `FieldValueDuplicate \S+\[\d+\]: $`},
		{"list type map", listType("map"), isList, `FieldValueDuplicate \S+\[\d+\]: $|must be an object for an array of list-type map`},
		{"x-kubernetes-int-or-string", func(s *props) bool { return s.XIntOrString }, isAny, `must be of type integer,string`},
		{"x-kubernetes-embedded-resource", func(s *props) bool { return s.XEmbeddedResource }, isObject,
			`kind: (may have|must)|apiVersion: (must|unexpected)|metadata`},
		{"x-kubernetes-preserve-unknown-fields", func(s *props) bool { return s.XPreserveUnknownFields != nil }, isObject, ``},
		{"allOf", func(s *props) bool { return len(s.AllOf) > 0 }, isAny, `must validate all the schemas \(allOf\)`},
		{"anyOf", func(s *props) bool { return len(s.AnyOf) > 0 }, isAny, `must validate at least one schema \(anyOf\)`},
		{"oneOf", func(s *props) bool { return len(s.OneOf) > 0 }, isAny, `must validate one and only one schema \(oneOf\)`},
		{"not", func(s *props) bool { return s.Not != nil }, isAny, `must not validate the schema \(not\)`},
		{"rule", func(s *props) bool { return len(s.XValidations) > 0 }, isAny, `failed rule`},
		{"rule that fails to evaluate", func(s *props) bool { return len(s.XValidations) > 0 }, isAny, `evaluating rule`},
		{"rule with a message", func(s *props) bool {
			return rule(s, func(r apiextensionsv1.ValidationRule) bool { return r.Message != "" })
		}, isAny, `this does not hold`},
		{"rule with a messageExpression", func(s *props) bool {
			return rule(s, func(r apiextensionsv1.ValidationRule) bool { return r.MessageExpression != "" })
		}, isAny, `: because|is wrong|: found `},
		{"rule with a reason", func(s *props) bool {
			return rule(s, func(r apiextensionsv1.ValidationRule) bool { return r.Reason != nil })
		}, isAny, `FieldValueForbidden`},
		{"rule of old and new", func(s *props) bool {
			return rule(s, func(r apiextensionsv1.ValidationRule) bool {
				return strings.Contains(r.Rule, "oldSelf") && r.OptionalOldSelf == nil
			})
		}, isAny, `failed rule: .*oldSelf`},
		{"rule with an optional old", func(s *props) bool {
			return rule(s, func(r apiextensionsv1.ValidationRule) bool { return r.OptionalOldSelf != nil })
		}, isAny, `failed rule: .*oldSelf\.(hasValue|orValue)`},
	}
}

// coverage counts how often each keyword applied to a value of a valid object, and how often it was violated.
type coverage struct{ satisfied, violated map[string]int }

// satisfy records the keywords of a schema that a valid value satisfies.
func (c *coverage) satisfy(s *props, value any) {
	for _, k := range keywords() {
		if k.set(s) && k.acts(value) {
			c.satisfied[k.name]++
		}
	}
	switch value := value.(type) {
	case map[string]any:
		for name, part := range value {
			if property, ok := s.Properties[name]; ok {
				c.satisfy(&property, part)
			} else if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
				c.satisfy(s.AdditionalProperties.Schema, part)
			}
		}
	case []any:
		for _, item := range value {
			if s.Items != nil && s.Items.Schema != nil {
				c.satisfy(s.Items.Schema, item)
			}
		}
	}
}

func (c *coverage) violate(err *field.Error, patterns map[string]*regexp.Regexp) {
	line := string(err.Type) + " " + err.Field + ": " + err.Detail
	for name, pattern := range patterns {
		if pattern.MatchString(line) {
			c.violated[name]++
		}
	}
}

// seeds is the number of seeds in which each keyword must be both satisfied and violated.
const seeds = 400

// TestCoverage: within a few hundred seeds each keyword is satisfied by a valid object and violated by an
// invalid one.
func TestCoverage(t *testing.T) {
	patterns := map[string]*regexp.Regexp{}
	for _, k := range keywords() {
		if k.violated != "" {
			patterns[k.name] = regexp.MustCompile(k.violated)
		}
	}
	seen := coverage{map[string]int{}, map[string]int{}}
	for seed := range uint64(seeds) {
		src := generate.Seeded(seed)
		schema := randomschema.Make(src, randomschema.Options{Unadmitted: seed%2 == 0})
		validator, err := reference.CompileProps(schema, reference.Options{Root: true})
		if err != nil {
			t.Fatalf("seed %d: %v", seed, err)
		}
		for i := range 12 {
			opts := generate.ObjectOptions{Faults: []int{0, 10, 4}[i%3]}
			obj := generate.Object(src, schema, opts)
			var old map[string]any
			if i%2 == 1 {
				old, obj = obj, generate.Vary(src, schema, obj, opts)
			}
			errs := validator.Validate(t.Context(), obj, old)
			for _, err := range errs {
				seen.violate(err, patterns)
			}
			if len(errs) == 0 {
				seen.satisfy(schema, obj)
			}
		}
	}
	for _, k := range keywords() {
		if seen.satisfied[k.name] == 0 {
			t.Errorf("%s is never satisfied by a valid object", k.name)
		}
		if k.violated != "" && seen.violated[k.name] == 0 {
			t.Errorf("%s is never violated", k.name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(seen.satisfied)) {
		t.Logf("%-38s satisfied %6d, violated %6d", name, seen.satisfied[name], seen.violated[name])
	}
}

package structural

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/internal/cel"
	"github.com/diffrun/diffrun/internal/openapi"
)

// stored checks what the API server asks of each schema in a
// CustomResourceDefinition beside being structural
// (k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation,
// ValidateCustomResourceDefinitionOpenAPISchema).
type stored struct {
	// rules are those that are judged only where the schema itself
	// has none, by the place of the rules. Nil: rules are not judged at all.
	rules *judgedRules
	// tolerated is what an old definition has, too.
	tolerated tolerated
}

// standing is what the schemas around a schema forbid in it.
type standing struct {
	noDefaults     string      // why there may be no default; "": there may be
	insideMetadata bool        // of the object or an embedded resource
	uncorrelatable *field.Path // the list or map in which old values are not found again
	ruled          bool        // this value or one around it has rules
	unseen         bool        // by rules: one of these has no type
	isRoot         bool
	inJunctor      bool
}

// found are errors of schemas and of rules. Errors of rules only count if schemas have no errors
// at the same place or below.
type found struct{ schema, rules field.ErrorList }

func (f *found) add(e *field.Error) { f.schema = append(f.schema, e) }

func (f *found) merge(other found) {
	f.schema = append(f.schema, other.schema...)
	f.rules = append(f.rules, other.rules...)
}

func (c *stored) check(s *spec.Schema, in standing, at *field.Path) found {
	var f found
	if s == nil {
		return f
	}
	x, errs := openapi.ReadExtensions(s, at)
	f.schema = append(f.schema, errs...)
	in.ruled = in.ruled || len(x.Validations) > 0
	in.unseen = in.unseen || (in.ruled && !seenByRules(s))
	c.standard(&f, s, x, in, at)
	c.parts(&f, s, x, in, at)
	c.listType(&f, s, x, at)
	mapType(&f, s, x, at)
	c.checkRules(&f, s, x, in, at)
	return f
}

func types() []string { return []string{"array", "boolean", "integer", "number", "object", "string"} }

// standard checks the keywords of OpenAPI.
func (c *stored) standard(f *found, s *spec.Schema, x openapi.Extensions, in standing, at *field.Path) {
	if typ := typeOf(s); typ != "" && !slices.Contains(types(), typ) {
		if !c.tolerated.types {
			f.add(field.NotSupported(at.Child("type"), typ, types()))
		}
		if typ == "null" {
			f.add(field.Forbidden(at.Child("type"), "type cannot be set to null, use nullable as an alternative"))
		}
	}
	if s.Default != nil && in.noDefaults != "" {
		f.add(field.Forbidden(at.Child("default"), "must not be set "+in.noDefaults))
	}
	for _, keyword := range foreign(s) {
		if keyword.refused {
			f.add(field.Forbidden(at.Child(keyword.name), keyword.name+" is not supported"))
		}
	}
	if s.Items != nil && len(s.Items.Schemas) > 0 {
		f.add(field.Forbidden(at.Child("items"), "items must be a schema object and not an array"))
	}
	if in.insideMetadata && x.EmbeddedResource {
		f.add(field.Forbidden(at.Child("x-kubernetes-embedded-resource"), "must not be used inside of resource meta"))
	}
	if s.UniqueItems {
		f.add(field.Forbidden(at.Child("uniqueItems"), "uniqueItems cannot be set to true since the runtime complexity becomes quadratic"))
	}
	if x.PreserveUnknownFields != nil && !*x.PreserveUnknownFields {
		f.add(field.Invalid(at.Child("x-kubernetes-preserve-unknown-fields"), false, "must be true or undefined"))
	}
	if a := s.AdditionalProperties; a != nil && len(s.Properties) > 0 && (!a.Allows || a.Schema != nil) {
		f.add(field.Forbidden(at.Child("additionalProperties"), "additionalProperties and properties are mutual exclusive"))
	}
}

// parts checks the schemas in a schema.
func (c *stored) parts(f *found, s *spec.Schema, x openapi.Extensions, in standing, at *field.Path) {
	inside := in
	inside.isRoot = false
	if s.AdditionalProperties != nil {
		values := inside
		if in.insideMetadata {
			values.noDefaults = "inside additionalProperties applying to object metadata"
		}
		f.merge(c.check(s.AdditionalProperties.Schema, values, at.Child("additionalProperties")))
	}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		property := s.Properties[name]
		f.merge(c.check(&property, propertyStanding(name, x, in, at), at.Child("properties").Key(name)))
	}
	if s.Items != nil {
		items := inside
		if x.ListType == nil || *x.ListType != "map" {
			items = items.without(at)
		}
		f.merge(c.check(s.Items.Schema, items, at.Child("items")))
		for i := range s.Items.Schemas {
			f.merge(c.check(&s.Items.Schemas[i], items, at.Child("items").Index(i)))
		}
	}
	inside.inJunctor = true
	f.merge(c.check(s.Not, inside, at.Child("not")))
	for _, junctor := range []struct {
		name     string
		branches []spec.Schema
	}{{"allOf", s.AllOf}, {"oneOf", s.OneOf}, {"anyOf", s.AnyOf}} {
		for i := range junctor.branches {
			f.merge(c.check(&junctor.branches[i], inside, at.Child(junctor.name).Index(i)))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.Definitions)) {
		definition := s.Definitions[name]
		f.merge(c.check(&definition, inside, at.Child("definitions").Key(name)))
	}
	for _, name := range slices.Sorted(maps.Keys(s.Dependencies)) {
		f.merge(c.check(s.Dependencies[name].Schema, inside, at.Child("dependencies").Key(name)))
	}
}

func propertyStanding(name string, x openapi.Extensions, in standing, at *field.Path) standing {
	inside := in
	inside.isRoot = false
	if x.MapType != nil && *x.MapType != "granular" && *x.MapType != "atomic" {
		inside = inside.without(at)
	}
	if (in.isRoot || x.EmbeddedResource) && (name == "metadata" || name == "kind" || name == "apiVersion") {
		inside.insideMetadata = true
		if in.isRoot {
			inside.noDefaults = "in top-level " + name
		}
	}
	return inside
}

// without is the standing in a value whose parts cannot be correlated with old ones. It names
// the outermost such value.
func (in standing) without(at *field.Path) standing {
	if in.uncorrelatable == nil {
		in.uncorrelatable = at
	}
	return in
}

// checkRules checks how rules are written, and whether they compile where the schema
// around them has no mistake.
func (c *stored) checkRules(f *found, s *spec.Schema, x openapi.Extensions, in standing, at *field.Path) {
	for i, rule := range x.Validations {
		writtenRule(f, rule, at.Child("x-kubernetes-validations").Index(i))
		switch {
		case rule.FieldPath == "":
		case c.rules != nil && !in.inJunctor:
			c.rules.fieldPath(f, at, i, rule)
		case !leads(s, rule.FieldPath):
			f.add(field.Invalid(at.Child("x-kubernetes-validations").Index(i).Child("fieldPath"), rule.FieldPath, "must be a valid path"))
		}
	}
	if c.rules == nil || in.inJunctor || len(x.Validations) == 0 || len(f.schema) > 0 {
		return
	}
	if in.unseen {
		f.rules = append(f.rules, field.InternalError(at.Child("x-kubernetes-validations"), cel.ErrNoType))
		return
	}
	for i, rule := range x.Validations {
		c.rules.judge(f, at, i, rule, in.uncorrelatable)
	}
}

func writtenRule(f *found, rule openapi.Rule, at *field.Path) {
	expression, message := strings.TrimSpace(rule.Rule), strings.TrimSpace(rule.Message)
	switch {
	case expression == "":
		f.add(field.Required(at.Child("rule"), "rule is not specified"))
	case rule.Message != "" && message == "":
		f.add(field.Invalid(at.Child("message"), rule.Message, "must be non-empty if specified"))
	case broken(message):
		f.add(field.Invalid(at.Child("message"), rule.Message, "must not contain line breaks"))
	case broken(expression) && message == "":
		f.add(field.Required(at.Child("message"), "message must be specified if rule contains line breaks"))
	}
	if rule.MessageExpression != "" && strings.TrimSpace(rule.MessageExpression) == "" {
		f.add(field.Required(at.Child("messageExpression"), "messageExpression must be non-empty if specified"))
	}
	reasons := []string{"FieldValueDuplicate", "FieldValueForbidden", "FieldValueInvalid", "FieldValueRequired"}
	if rule.Reason != nil && !slices.Contains(reasons, *rule.Reason) {
		f.add(field.NotSupported(at.Child("reason"), *rule.Reason, reasons))
	}
	if rule.FieldPath != "" && strings.TrimSpace(rule.FieldPath) == "" {
		f.add(field.Invalid(at.Child("fieldPath"), rule.FieldPath, "must be non-empty if specified"))
	}
	if broken(rule.FieldPath) {
		f.add(field.Invalid(at.Child("fieldPath"), rule.FieldPath, "must not contain line breaks"))
	}
}

func broken(text string) bool { return strings.ContainsAny(text, "\n\r") }

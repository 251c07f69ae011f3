package structural

import (
	"cmp"
	"context"
	"slices"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/structural/openapi"
)

// CheckCRD gives all errors with which the API server refuses to create a
// CustomResourceDefinition, with their paths as it writes them: a schema that all
// versions share is at spec.validation.openAPIV3Schema. They are in order of their
// field. The CustomResourceDefinition is not changed; defaults of its own fields
// (names.listKind, …) are filled in a copy first, as the API server does.
//
// ctx bounds the rules that defaults are validated with. The error says that the
// CustomResourceDefinition cannot be read as one, or that a schema could not be
// judged.
func CheckCRD(ctx context.Context, crd *apiextensionsv1.CustomResourceDefinition) (field.ErrorList, error) {
	created := crd.DeepCopy()
	created.Status = apiextensionsv1.CustomResourceDefinitionStatus{}
	internal, err := internalForm(created)
	if err != nil {
		return nil, err
	}
	return CheckInternal(ctx, internal)
}

// CheckInternal is CheckCRD for the API server's own form of a
// CustomResourceDefinition, as it is: nothing is filled in, and its status is checked
// too.
func CheckInternal(ctx context.Context, crd *apiextensions.CustomResourceDefinition) (field.ErrorList, error) {
	c := &definition{ctx: ctx}
	c.check(crd)
	return c.sorted()
}

func (c *definition) sorted() (field.ErrorList, error) {
	slices.SortStableFunc(c.errs, func(a, b *field.Error) int {
		return cmp.Or(cmp.Compare(a.Field, b.Field), cmp.Compare(a.Type, b.Type), cmp.Compare(a.Detail, b.Detail))
	})
	return c.errs, c.fault
}

// definition checks one CustomResourceDefinition.
type definition struct {
	ctx   context.Context
	old   *apiextensions.CustomResourceDefinition // nil: it is created
	errs  field.ErrorList
	fault error

	tolerated tolerated
}

func (c *definition) add(errs ...*field.Error) { c.errs = append(c.errs, errs...) }

// schema checks the schema of a version, or that of all, of which the first version
// stands.
func (c *definition) schema(validation *apiextensions.CustomResourceValidation, version string, hasStatus bool, at *field.Path) {
	if validation == nil || validation.OpenAPIV3Schema == nil {
		return
	}
	s, err := specOf(validation.OpenAPIV3Schema)
	if err != nil {
		c.fault = err
		return
	}
	root := at.Child("openAPIV3Schema")
	var errs field.ErrorList
	if hasStatus {
		errs = append(errs, statusRoot(s, at)...)
	}
	if s.Nullable {
		errs = append(errs, field.Forbidden(root.Child("nullable"), "nullable cannot be true at the root"))
	}
	reason, rules := "", (*judgedRules)(nil)
	if !c.tolerated.structure {
		var structural field.ErrorList
		reason = inconvertible(s)
		structural, rules = c.structural(s, reason, root)
		errs = append(errs, structural...)
	}
	if rules != nil {
		rules.unchanged = c.tolerated.unchanged[version]
	}
	f := (&stored{rules: rules, tolerated: c.tolerated}).check(s, standing{isRoot: true}, root)
	errs = append(append(errs, f.schema...), f.rules...)
	if len(errs) == 0 && reason != "" {
		errs = append(errs, field.Invalid(root, "", reason))
	}
	c.add(append(errs, rules.overall()...)...)
}

// structural checks that the schema is structural and its defaults are valid. When
// both are so its rules are compiled, and judged.
func (c *definition) structural(s *spec.Schema, inconvertible string, root *field.Path) (field.ErrorList, *judgedRules) {
	if inconvertible != "" {
		return nil, nil
	}
	if errs := Check(s, Options{Completeness: CompleteAtRoot, At: root}); len(errs) > 0 {
		return errs, nil
	}
	d := &defaults{ctx: c.ctx, unpruned: c.tolerated.unprunedDefaults}
	d.check(s, rootSurroundings(), true, root)
	if len(d.errs) > 0 {
		return d.errs, nil
	}
	rules, err := compileRules(s, root, c.tolerated)
	if err != nil {
		c.fault = err
	}
	return nil, rules
}

// statusRoot checks that nothing at the root of the schema is lost when the status
// subresource is validated against properties[status] alone. It names the first
// keyword, in the order in which the API server's type has them.
func statusRoot(s *spec.Schema, at *field.Path) field.ErrorList {
	root := at.Child("openAPIV3Schema")
	x, _ := openapi.ReadExtensions(s, root) // wrong kinds are reported by Check
	for _, keyword := range []struct {
		name string
		used bool
	}{
		{"id", s.ID != ""}, {"$schema", s.Schema != ""}, {"$ref", s.Ref.String() != ""},
		{"type", typeOf(s) != "" && typeOf(s) != "object"},
		{"nullable", s.Nullable}, {"default", s.Default != nil}, {"enum", s.Enum != nil},
		{"maxProperties", s.MaxProperties != nil}, {"minProperties", s.MinProperties != nil},
		{"allOf", s.AllOf != nil}, {"oneOf", s.OneOf != nil}, {"anyOf", s.AnyOf != nil}, {"not", s.Not != nil},
		{"additionalProperties", s.AdditionalProperties != nil}, {"patternProperties", s.PatternProperties != nil},
		{"dependencies", s.Dependencies != nil}, {"additionalItems", s.AdditionalItems != nil}, {"definitions", s.Definitions != nil},
		{"x-kubernetes-embedded-resource", x.EmbeddedResource}, {"x-kubernetes-int-or-string", x.IntOrString},
		{"x-kubernetes-list-map-keys", x.ListMapKeys != nil}, {"x-kubernetes-list-type", x.ListType != nil}, {"x-kubernetes-map-type", x.MapType != nil},
	} {
		switch {
		case !keyword.used:
		case keyword.name == "type":
			return field.ErrorList{field.Invalid(root.Child("type"), typeOf(s), `only "object" is allowed as the type at the root of the schema if the status subresource is enabled`)}
		default:
			return field.ErrorList{field.Invalid(root, keyword.name, "is not allowed at the root of the schema if the status subresource is enabled")}
		}
	}
	return nil
}

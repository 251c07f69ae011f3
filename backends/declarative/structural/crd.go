package structural

import (
	"context"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
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
	fielderror.Sort(c.errs)
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

// schema checks the schema of a version, or the schema of all versions together with the first
// version.
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
		errs = append(errs, statusRoot(validation.OpenAPIV3Schema, root)...)
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

// structural checks that the schema is structural and its defaults are valid. Only then does it
// compile and judge the rules.
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

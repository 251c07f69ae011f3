package structural

import (
	"encoding/json"
	"maps"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
	"github.com/diffrun/diffrun/internal/openapi"
)

// Check returns what keeps the schema of a resource's root from being structural, in canonical
// order (fielderror.Canonical); nothing if it is structural. The API server's own check does most
// of the work. It is preceded by what KEP-2335 says about keywords that the API server cannot
// convert, or ignores, and followed by completeness below the root.
func Check(root *spec.Schema) field.ErrorList {
	if root == nil {
		return field.ErrorList{field.Required(nil, "there is no schema")}
	}
	c := &checker{}
	known := c.known(root, false, nil)
	var props apiextensionsv1.JSONSchemaProps
	data, err := json.Marshal(known)
	if err == nil {
		err = json.Unmarshal(data, &props)
	}
	var converted *schema.Structural
	if err == nil {
		converted, err = convert(&props)
	}
	if err == nil {
		c.add(schema.ValidateStructural(nil, converted)...)
	} else {
		c.add(field.InternalError(nil, err))
	}
	c.completeBelow(root, nil)
	fielderror.Sort(c.errs)
	return c.errs
}

type checker struct{ errs field.ErrorList }

func (c *checker) add(errs ...*field.Error) { c.errs = append(c.errs, errs...) }

// known returns a schema without the keywords that the API server cannot convert, and reports them.
// It also checks the unions, which the API server ignores.
func (c *checker) known(s *spec.Schema, inJunctor bool, at *field.Path) *spec.Schema {
	x, errs := openapi.ReadExtensions(s, at)
	c.add(errs...)
	known := *s
	known.Extensions = maps.Clone(s.Extensions)
	for name := range known.Extensions {
		if slices.ContainsFunc(errs, func(e *field.Error) bool { return e.Field == at.Child(name).String() }) {
			delete(known.Extensions, name)
		}
	}
	for _, keyword := range unsupported(s) {
		c.add(field.Forbidden(at.Child(keyword), keyword+" is not supported"))
	}
	known.ID, known.Schema, known.Ref = "", "", spec.Ref{}
	known.PatternProperties, known.Dependencies, known.AdditionalItems, known.Definitions = nil, nil, nil, nil
	if s.Items != nil && len(s.Items.Schemas) > 0 {
		c.add(field.Forbidden(at.Child("items"), "items must be a schema object and not an array"))
		any := spec.Schema{}
		any.AddExtension(openapi.XPreserveUnknownFields, true)
		known.Items = &spec.SchemaOrArray{Schema: &any}
	}
	if len(s.Type) > 1 {
		c.add(field.Invalid(at.Child("type"), []string(s.Type), "must be one type"))
		known.Type = s.Type[:1]
	}
	switch {
	case x.PreserveUnknownFields == nil || *x.PreserveUnknownFields:
	case inJunctor:
		c.add(field.Forbidden(at.Child(openapi.XPreserveUnknownFields), "must be false to be structural"))
		delete(known.Extensions, openapi.XPreserveUnknownFields)
	default:
		c.add(field.Invalid(at.Child(openapi.XPreserveUnknownFields), false, "must be true or undefined"))
		delete(known.Extensions, openapi.XPreserveUnknownFields)
	}
	if inJunctor && len(x.Unions) > 0 {
		c.add(field.Forbidden(at.Child(openapi.XUnions), "must be empty to be structural"))
	} else {
		c.unions(s, x.Unions, at)
	}
	return openapi.MapChildren(&known, func(child openapi.Child) *spec.Schema {
		return c.known(child.Schema, inJunctor || child.IsBranch(), child.At(at))
	})
}

// unsupported returns the keywords of a schema that no structural schema has.
func unsupported(s *spec.Schema) []string {
	var found []string
	for _, keyword := range []struct {
		name string
		used bool
	}{
		{"id", s.ID != ""}, {"$schema", s.Schema != ""}, {"$ref", openapi.Ref(s) != ""},
		{"patternProperties", len(s.PatternProperties) > 0}, {"dependencies", len(s.Dependencies) > 0},
		{"additionalItems", s.AdditionalItems != nil}, {"definitions", len(s.Definitions) > 0},
	} {
		if keyword.used {
			found = append(found, keyword.name)
		}
	}
	return found
}

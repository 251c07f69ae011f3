package structural

import (
	"cmp"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/backends/declarative/internal/cel"
	"github.com/diffrun/diffrun/backends/declarative/pruning"
	"github.com/diffrun/diffrun/internal/fieldpath"
	"github.com/diffrun/diffrun/internal/openapi"
)

// explain returns the errors of the API server with better texts: they name the cost of a rule, the
// unknown fields of a default, and the keyword that the root must not have; they do not print whole
// schemas in the form of Go structs. What differs from run to run is gone: the names of generated
// types, and the choice among rules of the same cost.
func explain(crd *apiextensions.CustomResourceDefinition, errs field.ErrorList) field.ErrorList {
	roots := rootsOf(crd)
	var all field.ErrorList
	for _, e := range errs {
		i := slices.IndexFunc(roots, func(r *root) bool { return fieldpath.AtOrBelow(e.Field, r.at.String()) })
		explained := *e
		if i >= 0 {
			explained.Origin = cmp.Or(roots[i].costOrigin(e), e.Origin)
			if explained.Origin == openapi.OriginTotalCost && e.Field != roots[i].at.String() {
				continue // named with the total
			}
			roots[i].explain(&explained)
		}
		explained.BadValue = printable(explained.BadValue)
		if strings.HasPrefix(e.Detail, "may only be set when `version.schema") {
			explained.Detail = "may only be set when there is a schema" // the API server says the opposite
		}
		all = append(all, &explained)
		if explained.Origin == openapi.OriginTotalCost {
			all = append(all, roots[i].total(&explained, errs)...)
		}
	}
	return all
}

// root is the schema of a version, or of all versions together.
type root struct {
	at      *field.Path
	schema  *spec.Schema
	read    bool
	reports map[string]declarative.RuleReport // by place; nil until they are needed
	props   *apiextensions.JSONSchemaProps
}

func rootsOf(crd *apiextensions.CustomResourceDefinition) []*root {
	var all []*root
	add := func(v *apiextensions.CustomResourceValidation, at *field.Path) {
		if v != nil && v.OpenAPIV3Schema != nil {
			all = append(all, &root{at: at.Child("openAPIV3Schema"), props: v.OpenAPIV3Schema})
		}
	}
	add(crd.Spec.Validation, field.NewPath("spec", "validation"))
	for i := range crd.Spec.Versions {
		add(crd.Spec.Versions[i].Schema, field.NewPath("spec", "versions").Index(i).Child("schema"))
	}
	return all
}

// explain changes the text of an error in the schema.
func (r *root) explain(e *field.Error) {
	place := strings.TrimPrefix(strings.TrimPrefix(e.Field, r.at.String()), ".")
	_, ofStatus := e.BadValue.(apiextensions.JSONSchemaProps)
	switch {
	case ofStatus:
		e.BadValue, e.Detail = forbiddenAtRoot(r.props, e.Detail), "is not allowed at the root of the schema if the status "+
			"subresource is enabled"
	case strings.Contains(e.Detail, "unable to convert structural schema to CEL declarations"):
		e.BadValue, e.Detail = nil, cel.ErrNoType.Error()
	case e.Detail == unknownFields:
		e.Detail += ": " + r.unknownFields(place, e.BadValue)
	case strings.Contains(place, openapi.XValidations+"["):
		r.explainRule(place, e)
	}
}

// forbiddenAtRoot returns the first keyword that the root has and the API server's text does not
// list as allowed.
func forbiddenAtRoot(s *apiextensions.JSONSchemaProps, allowed string) string {
	written := reflect.ValueOf(s).Elem()
	words := strings.FieldsFunc(allowed, func(r rune) bool { return strings.ContainsRune(" []", r) })
	for i := range written.NumField() {
		name := written.Type().Field(i).Name
		if written.Field(i).IsZero() || slices.Contains(words, name) {
			continue
		}
		if f, found := reflect.TypeFor[apiextensionsv1.JSONSchemaProps]().FieldByName(name); found {
			keyword, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			return keyword
		}
	}
	return ""
}

const unknownFields = "must not have unknown fields"

// unknownFields returns the fields that pruning removes from the default at a place.
func (r *root) unknownFields(place string, value any) string {
	s := schemaAt(r.spec(), strings.TrimSuffix(strings.TrimSuffix(place, "default"), "."))
	if s != nil {
		embedded, _ := s.Extensions.GetBool(openapi.XEmbeddedResource)
		pruner, err := pruning.Compile(s, pruning.Options{
			Root:     embedded || s == r.schema,
			Nulls:    pruning.KeepNulls,
			Metadata: pruning.LeaveMetadata,
		})
		if err == nil {
			if _, dropped, _ := pruner.PruneValue(value); len(dropped) > 0 {
				return strings.Join(dropped, ", ")
			}
		}
	}
	return "apiVersion, kind or metadata, because it is not a resource" // pruning does not list them
}

// schemaAt returns the schema at a place; nil if there is none.
func schemaAt(s *spec.Schema, place string) *spec.Schema {
	if place == "" || s == nil {
		return s
	}
	for child := range openapi.Children(s) {
		if at := child.At(nil).String(); fieldpath.AtOrBelow(place, at) {
			if found := schemaAt(child.Schema, strings.TrimPrefix(strings.TrimPrefix(place, at), ".")); found != nil {
				return found
			}
		}
	}
	return nil
}

// spec returns the schema in the form of this module; nil if it cannot be converted.
func (r *root) spec() *spec.Schema {
	if r.read {
		return r.schema
	}
	r.read = true
	var props apiextensionsv1.JSONSchemaProps
	if err := apiextensionsv1.Convert_apiextensions_JSONSchemaProps_To_v1_JSONSchemaProps(r.props, &props, nil); err != nil {
		return nil
	}
	if s, err := openapi.FromProps(&props); err == nil {
		r.schema = s
	}
	return r.schema
}

// printable returns a rejected value as people write it. The API server prints its own structs with
// the names of their Go fields, some of them whole schemas.
func printable(value any) any {
	switch value := value.(type) {
	case apiextensions.ValidationRule:
		rule := openapi.Rule{
			Rule: value.Rule, Message: value.Message, MessageExpression: value.MessageExpression,
			FieldPath: value.FieldPath, OptionalOldSelf: value.OptionalOldSelf,
		}
		if value.Reason != nil {
			reason := string(*value.Reason)
			rule.Reason = &reason
		}
		return rule
	case []apiextensions.CustomResourceDefinitionVersion, *apiextensions.JSONSchemaPropsOrArray:
		return field.OmitValueType{}
	}
	return value
}

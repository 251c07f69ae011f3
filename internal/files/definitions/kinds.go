package definitions

import (
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/text/jsonerrors"
)

// dialect has the Go types of the keywords of a schema.
type dialect reflect.Type

func ofDefinitions() dialect { return reflect.TypeFor[apiextensionsv1.JSONSchemaProps]() }

func ofOpenAPI() dialect { return reflect.TypeFor[spec.SchemaProps]() }

// wrongKinds returns errors for values of wrong types in a schema that cannot be decoded. A decoder
// reports only the first, without its exact place. The errors have places in the schema. There are
// none if the schema has another mistake.
func wrongKinds(schema any, d dialect) field.ErrorList {
	types := map[string]reflect.Type{}
	for i := range d.NumField() {
		name, _, _ := strings.Cut(d.Field(i).Tag.Get("json"), ",")
		types[name] = d.Field(i).Type
	}
	var mistakes field.ErrorList
	eachSchema(schema, nil, func(value any, at *field.Path) {
		keywords, isObject := value.(map[string]any)
		if !isObject {
			mistakes = addKind(mistakes, value, kindOfSchema(at), at)
			return
		}
		for _, keyword := range slices.Sorted(maps.Keys(keywords)) {
			wanted := types[keyword]
			switch partsOf(keyword) {
			case named:
				wanted = reflect.TypeFor[map[string]any]()
			case listed:
				wanted = reflect.TypeFor[[]any]()
			case one, oneOrListed:
				continue // visited itself
			}
			if wanted != nil {
				mistakes = addKind(mistakes, keywords[keyword], wanted, at.Child(keyword))
			}
		}
	})
	return mistakes
}

// kindOfSchema returns the Go type of a schema at a place.
func kindOfSchema(at *field.Path) reflect.Type {
	switch text := at.String(); {
	case strings.HasSuffix(text, ".additionalProperties"), strings.HasSuffix(text, ".additionalItems"),
		text == "additionalProperties", text == "additionalItems":
		return reflect.TypeFor[apiextensionsv1.JSONSchemaPropsOrBool]()
	case strings.Contains(text, "dependencies["):
		return reflect.TypeFor[any]() // a schema or names
	}
	return reflect.TypeFor[map[string]any]()
}

// addKind adds a mistake if a value cannot be decoded into a type.
func addKind(mistakes field.ErrorList, value any, wanted reflect.Type, at *field.Path) field.ErrorList {
	data, err := json.Marshal(value)
	if err == nil {
		err = json.Unmarshal(data, reflect.New(wanted).Interface())
	}
	if err == nil {
		return mistakes
	}
	said := strings.TrimPrefix(jsonerrors.Of(err, "it").Error(), "it ")
	return append(mistakes, field.Invalid(at, field.OmitValueType{}, said))
}

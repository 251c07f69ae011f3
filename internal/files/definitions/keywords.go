package definitions

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// unknownKeywords returns errors for the unknown keywords of a schema, which Go types would drop. The
// errors have places in the schema.
func unknownKeywords(schema any) field.ErrorList {
	known := map[string]bool{"$ref": true, "$schema": true} // which their Go types hide
	for _, of := range []reflect.Type{reflect.TypeFor[spec.SchemaProps](), reflect.TypeFor[spec.SwaggerSchemaProps]()} {
		for i := range of.NumField() {
			name, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
			known[name] = true
		}
	}
	var mistakes field.ErrorList
	eachSchema(schema, nil, func(value any, at *field.Path) {
		schema, _ := value.(map[string]any)
		for _, keyword := range slices.Sorted(maps.Keys(schema)) {
			if !known[keyword] && !strings.HasPrefix(keyword, "x-") {
				mistakes = append(mistakes, field.Invalid(at.Child(keyword), field.OmitValueType{},
					fmt.Sprintf("no keyword of OpenAPI v3 is named %q", keyword)))
			}
		}
	})
	return mistakes
}

// eachSchema visits all values at the places of schemas, of any type, sorted by keyword.
func eachSchema(value any, at *field.Path, visit func(value any, at *field.Path)) {
	visit(value, at)
	schema, isObject := value.(map[string]any)
	if !isObject {
		return
	}
	for _, keyword := range slices.Sorted(maps.Keys(schema)) {
		value, in := schema[keyword], at.Child(keyword)
		members, isObject := value.(map[string]any)
		items, isList := value.([]any)
		switch holds := partsOf(keyword); {
		case holds == named && isObject:
			for _, name := range slices.Sorted(maps.Keys(members)) {
				eachSchema(members[name], in.Key(name), visit)
			}
		case holds == listed && isList, holds == oneOrListed && isList:
			for i, item := range items {
				eachSchema(item, in.Index(i), visit)
			}
		case holds == one, holds == oneOrListed:
			eachSchema(value, in, visit)
		}
	}
}

// parts returns the schemas in the value of a keyword.
type parts uint8

const (
	none parts = iota
	one
	listed
	oneOrListed
	named
)

func partsOf(keyword string) parts {
	switch keyword {
	case "properties", "patternProperties", "definitions", "dependencies":
		return named
	case "allOf", "anyOf", "oneOf":
		return listed
	case "items":
		return oneOrListed
	case "not", "additionalProperties", "additionalItems":
		return one
	}
	return none
}

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

// checkKeywords finds the keywords of a schema that nobody knows: reading it into
// Go types drops them, and a misspelt one would validate nothing without a word.
// The error is an aggregate of *field.Error with places in the schema.
func checkKeywords(schema map[string]any) error {
	c := keywordCheck{known: map[string]bool{"$ref": true, "$schema": true}} // which their Go types hide
	for _, of := range []reflect.Type{reflect.TypeFor[spec.SchemaProps](), reflect.TypeFor[spec.SwaggerSchemaProps]()} {
		for i := range of.NumField() {
			name, _, _ := strings.Cut(of.Field(i).Tag.Get("json"), ",")
			c.known[name] = true
		}
	}
	c.schema(schema, nil)
	if len(c.mistakes) == 0 {
		return nil
	}
	return c.mistakes.ToAggregate()
}

type keywordCheck struct {
	known    map[string]bool
	mistakes field.ErrorList
}

func (c *keywordCheck) schema(value any, at *field.Path) {
	schema, isObject := value.(map[string]any)
	if !isObject {
		return // true or false, or a mistake that reading it will find
	}
	for _, keyword := range slices.Sorted(maps.Keys(schema)) {
		value, in := schema[keyword], at.Child(keyword)
		switch keyword {
		case "properties", "patternProperties", "definitions", "dependencies":
			if members, isObject := value.(map[string]any); isObject {
				for _, name := range slices.Sorted(maps.Keys(members)) {
					c.schema(members[name], in.Key(name))
				}
			}
		case "items", "allOf", "anyOf", "oneOf":
			if list, isList := value.([]any); isList {
				for i, item := range list {
					c.schema(item, in.Index(i))
				}
			} else {
				c.schema(value, in)
			}
		case "not", "additionalProperties", "additionalItems":
			c.schema(value, in)
		default:
			if !c.known[keyword] && !strings.HasPrefix(keyword, "x-") {
				c.mistakes = append(c.mistakes, field.Invalid(in, field.OmitValueType{}, fmt.Sprintf("no keyword of OpenAPI v3 is named %q", keyword)))
			}
		}
	}
}

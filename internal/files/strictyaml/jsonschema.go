package strictyaml

import (
	"encoding"
	"fmt"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Described is a type that decodes itself and describes what it accepts, for JSONSchema. A type that
// decodes text without a description accepts any text.
type Described interface {
	// JSONSchema returns keywords of JSON Schema.
	JSONSchema() map[string]any
}

// Restricted is a struct that accepts only some combinations of its keys, or only some words as their values, for JSONSchema.
type Restricted interface {
	// Restrict adds keywords to the JSON Schema of the struct, whose properties are its keys.
	Restrict(schema map[string]any)
}

// Documentation describes a key of a file by its path, such as "native.exec.command", "cases[].name" or
// "objects.*". Required reports whether a file must have it.
type Documentation func(path string) (description string, required bool)

// JSONSchema returns the JSON Schema of the files that Decode accepts for a type: the same keys, so that
// editors complete them. documentation may be nil. It returns an error if a type decodes itself without a description.
func JSONSchema(of reflect.Type, documentation Documentation) (map[string]any, error) {
	if documentation == nil {
		documentation = func(string) (string, bool) { return "", false }
	}
	schema, err := describer{documentation}.schema(of, "")
	if err != nil {
		return nil, fmt.Errorf("the JSON Schema of %s: %w", of, err)
	}
	return schema, nil
}

// SchemaURL returns the address of a published JSON Schema: suite, cases, rules or exceptions.
func SchemaURL(file string) string {
	return "https://raw.githubusercontent.com/diffrun/diffrun/main/schemas/" + file + ".schema.json"
}

// SchemaComment returns the first line of a file that names its JSON Schema, for editors.
func SchemaComment(file string) string {
	return "# yaml-language-server: $schema=" + SchemaURL(file) + "\n"
}

type describer struct{ documentation Documentation }

// schema describes a value at a path. The cases are those of decoder.decode, in the same order.
func (d describer) schema(of reflect.Type, path string) (map[string]any, error) {
	if of.Kind() == reflect.Pointer {
		return d.schema(of.Elem(), path)
	}
	itself := reflect.New(of).Interface()
	if described, is := itself.(Described); is {
		return described.JSONSchema(), nil
	}
	if _, is := itself.(yaml.Unmarshaler); is {
		return nil, fmt.Errorf("%s: %s decodes itself and has no method JSONSchema", path, of)
	}
	if _, is := itself.(encoding.TextUnmarshaler); is {
		return map[string]any{"type": "string"}, nil
	}
	switch of.Kind() {
	case reflect.Interface:
		return map[string]any{}, nil
	case reflect.Struct:
		return d.object(of, path)
	case reflect.Map:
		values, err := d.schema(of.Elem(), strings.TrimPrefix(path+".*", "."))
		return map[string]any{"type": "object", "additionalProperties": values}, err
	case reflect.Slice:
		if _, takesOne := reflect.Zero(of).Interface().(interface{ takesOne() }); takesOne {
			one, err := d.schema(of.Elem(), path)
			return map[string]any{"anyOf": []any{one, map[string]any{"type": "array", "items": one}}}, err
		}
		items, err := d.schema(of.Elem(), listPath(path))
		return map[string]any{"type": "array", "items": items}, err
	case reflect.String:
		return map[string]any{"type": "string"}, nil
	case reflect.Bool:
		return map[string]any{"type": "boolean"}, nil
	case reflect.Float32, reflect.Float64:
		return map[string]any{"type": "number"}, nil
	}
	return map[string]any{"type": "integer"}, nil
}

// listPath returns the path of an item. The items of a file that is a list have the paths of the keys.
func listPath(path string) string {
	if path == "" {
		return ""
	}
	return path + "[]"
}

func (d describer) object(of reflect.Type, path string) (map[string]any, error) {
	properties, required := map[string]any{}, []string{}
	for _, key := range keysOf(of) {
		at := strings.TrimPrefix(path+"."+key.name, ".")
		schema, err := d.schema(key.of, at)
		if err != nil {
			return nil, err
		}
		description, must := d.documentation(at)
		if description != "" {
			schema["description"] = description
		}
		if must {
			required = append(required, key.name)
		}
		properties[key.name] = schema
	}
	schema := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		schema["required"] = required
	}
	if restricted, is := reflect.New(of).Interface().(Restricted); is {
		restricted.Restrict(schema)
	}
	return schema, nil
}

//go:build unix

package bench

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// compileJSONSchema compiles a schema for github.com/santhosh-tekuri/jsonschema as plain JSON Schema,
// which has no rules and no list types.
func compileJSONSchema(b *testing.B, s *spec.Schema) *jsonschema.Schema {
	b.Helper()
	data, err := json.Marshal(s)
	if err != nil {
		b.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		b.Fatal(err)
	}
	plain(doc)
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft7)
	c.AssertFormat()
	if err := c.AddResource("schema.json", doc); err != nil {
		b.Fatal(err)
	}
	compiled, err := c.Compile("schema.json")
	if err != nil {
		b.Fatal(err)
	}
	return compiled
}

// plain turns a schema of Kubernetes into one of JSON Schema, in place.
func plain(schema any) {
	switch s := schema.(type) {
	case []any:
		for _, each := range s {
			plain(each)
		}
	case map[string]any:
		for name, each := range s {
			switch name {
			case "properties":
				if all, ok := each.(map[string]any); ok {
					for _, p := range all {
						plain(p)
					}
				}
			case "default", "enum", "example":
			default:
				plain(each)
			}
		}
		if s["x-kubernetes-int-or-string"] == true {
			s["type"] = []any{"integer", "string"}
		}
		if s["nullable"] == true {
			if t, ok := s["type"].(string); ok {
				s["type"] = []any{t, "null"}
			}
		}
		// In draft 7 these are separate keywords with numbers.
		for _, name := range []string{"exclusiveMinimum", "exclusiveMaximum", "nullable"} {
			if _, isBool := s[name].(bool); isBool {
				delete(s, name)
			}
		}
	}
}

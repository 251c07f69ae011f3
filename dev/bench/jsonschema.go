package main

import (
	"bytes"
	"encoding/json"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// santhosh adds github.com/santhosh-tekuri/jsonschema, as a validator of plain JSON
// Schema: it is told what Kubernetes' extensions mean as far as JSON Schema has
// words for it. It has no rules and no list types.
func (r *resource) santhosh(s *subject, obj map[string]any) error {
	data, err := json.Marshal(r.bare)
	if err != nil {
		return err
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return err
	}
	plain(doc)
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft7)
	c.AssertFormat()
	if err := c.AddResource("schema.json", doc); err != nil {
		return err
	}
	compiled, err := c.Compile("schema.json")
	if err != nil {
		return err
	}
	if err := compiled.Validate(any(obj)); err != nil {
		return err
	}
	s.add(santhoshOnly, func() {
		if err := compiled.Validate(any(obj)); err != nil {
			panic(err)
		}
	})
	return nil
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
		// In draft 7 these are numbers of their own.
		for _, name := range []string{"exclusiveMinimum", "exclusiveMaximum", "nullable"} {
			if _, isBool := s[name].(bool); isBool {
				delete(s, name)
			}
		}
	}
}

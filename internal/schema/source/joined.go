package source

import (
	"encoding/json"
	"fmt"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/backends/declarative/idl"
)

// Joined gives a schema whose rules are those that the API server knows: the texts of a
// messageExpression that is a list are joined. A schema that does not compile stays as it is.
func (s Schema) Joined() (Schema, error) {
	if !s.Native {
		return s, nil
	}
	reports, err := declarative.Rules(s.Schema, declarative.Options{Definitions: s.Definitions, Root: s.Root, Estimation: declarative.EstimationOff})
	if err != nil {
		return s, nil
	}
	lists := joining{}
	for _, each := range reports {
		lists[each.At] = each.ListMessage
	}
	joined := s
	if joined.Schema, err = lists.schema(s.Schema, ""); err != nil {
		return s, err
	}
	joined.Definitions = make(map[string]*spec.Schema, len(s.Definitions))
	for name, definition := range s.Definitions {
		if joined.Definitions[name], err = lists.schema(definition, "definitions["+name+"]"); err != nil {
			return s, err
		}
	}
	return joined, nil
}

// joining says of which rules the messages are joined, by their places.
type joining map[string]bool

// schema gives a copy of a schema at a place.
func (j joining) schema(s *spec.Schema, at string) (*spec.Schema, error) {
	data, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	var document any
	if err := json.Unmarshal(data, &document); err != nil {
		return nil, err
	}
	j.join(document, at)
	if data, err = json.Marshal(document); err != nil {
		return nil, err
	}
	made := &spec.Schema{}
	return made, json.Unmarshal(data, made)
}

// join changes the rules in a part of a document.
func (j joining) join(part any, at string) {
	switch part := part.(type) {
	case []any:
		for i, item := range part {
			j.join(item, fmt.Sprintf("%s[%d]", at, i))
		}
	case map[string]any:
		if j[at] {
			part["messageExpression"] = idl.Joined(part["messageExpression"].(string))
			return
		}
		for key, entry := range part {
			if named, ok := entry.(map[string]any); ok && key == "properties" {
				for name, property := range named {
					j.join(property, below(at, key)+"["+name+"]")
				}
				continue
			}
			j.join(entry, below(at, key))
		}
	}
}

func below(at, key string) string {
	if at == "" {
		return key
	}
	return at + "." + key
}

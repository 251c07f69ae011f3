package source

import (
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/backends/declarative/idl"
	"github.com/diffrun/diffrun/internal/openapi"
)

// Joined returns a schema whose rules the API server accepts: if a messageExpression is a list, its
// texts are joined. A schema that does not compile is returned unchanged.
func (s Schema) Joined() (Schema, error) {
	if !s.Native {
		return s, nil
	}
	reports, err := declarative.Rules(s.Schema, declarative.Options{Definitions: s.Definitions, Root: s.Root, WithoutEstimation: true})
	if err != nil {
		return s, nil
	}
	lists := listMessages{}
	for _, each := range reports {
		lists[each.At] = each.ListMessage
	}
	joined := s
	joined.Schema = lists.join(s.Schema, nil)
	joined.Definitions = make(map[string]*spec.Schema, len(s.Definitions))
	for name, definition := range s.Definitions {
		joined.Definitions[name] = lists.join(definition, field.NewPath("definitions").Key(name))
	}
	return joined, nil
}

// listMessages reports which rules have a list as their message, by place.
type listMessages map[string]bool

// join returns a copy of the schema at a place in which lists of messages are joined.
func (l listMessages) join(s *spec.Schema, at *field.Path) *spec.Schema {
	joined := openapi.MapChildren(s, func(c openapi.Child) *spec.Schema { return l.join(c.Schema, c.At(at)) })
	rules, _ := s.Extensions[openapi.XValidations].([]any)
	for i, each := range rules {
		rule, isObject := each.(map[string]any)
		if !isObject || !l[at.Child(openapi.XValidations).Index(i).String()] {
			continue
		}
		rule = maps.Clone(rule)
		rule["messageExpression"] = idl.Joined(rule["messageExpression"].(string))
		rules = slices.Clone(rules)
		rules[i] = rule
		joined.Extensions = maps.Clone(s.Extensions)
		joined.Extensions[openapi.XValidations] = rules
	}
	return joined
}

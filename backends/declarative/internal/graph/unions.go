package graph

import (
	"encoding/json"
	"maps"
	"slices"

	"k8s.io/kube-openapi/pkg/validation/spec"
)

// unionsKeyword names the fields of an object that exclude each other (KEP-2335).
const unionsKeyword = "x-kubernetes-unions"

// union is an entry of x-kubernetes-unions: fields of which exactly one is set, each
// with the value that the discriminator has then.
type union struct {
	Discriminator string            `json:"discriminator,omitempty"`
	Fields        map[string]string `json:"fields,omitempty"`
}

// compileUnions asks for exactly one of the fields of each union, as the oneOf of
// KEP-2335 ("Unfolding the Extensions") does. The values of the discriminator are
// its enum (see discriminated). The schema that the proposal publishes has both
// already: what is written there is not asked for twice.
//
// The proposal joins a second union, or one beside a oneOf, by allOf. Nobody wrote
// that, so its failure is not reported in addition to that of the union.
func compileUnions(c *compiler, n *Node, s schemaSite) {
	unions, ok := extension[[]union](c, s)
	if !ok {
		return
	}
	for i, u := range unions {
		fields := slices.Sorted(maps.Keys(u.Fields))
		if len(fields) == 0 {
			c.mistake(s.where().Index(i).Child("fields"), "", "a union needs the fields that exclude each other")
			continue
		}
		if published(s.schema, fields) {
			continue
		}
		schemas := make([]spec.Schema, len(fields))
		for at, name := range fields {
			schemas[at].Required = []string{name}
		}
		n.join(c, s, OneOf, schemas)
	}
}

// published says that a schema asks for exactly one of some fields already.
func published(s *spec.Schema, fields []string) bool {
	same := func(branches []spec.Schema) bool {
		return slices.EqualFunc(branches, fields, func(branch spec.Schema, name string) bool {
			return slices.Equal(branch.Required, []string{name})
		})
	}
	return same(s.OneOf) || slices.ContainsFunc(s.AllOf, func(all spec.Schema) bool { return same(all.OneOf) })
}

// discriminated is a schema whose discriminators have the values of their unions as
// enum, where they are declared without one. It is the schema itself when it has no
// unions.
func discriminated(s *spec.Schema) *spec.Schema {
	written, ok := s.Extensions[unionsKeyword]
	if !ok || len(s.Properties) == 0 {
		return s
	}
	var unions []union
	if data, err := json.Marshal(written); err != nil || json.Unmarshal(data, &unions) != nil {
		return s // compileUnions says what is wrong
	}
	out := *s
	out.Properties = maps.Clone(s.Properties)
	for _, u := range unions {
		d, declared := out.Properties[u.Discriminator]
		if !declared || d.Enum != nil {
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(u.Fields)) {
			d.Enum = append(d.Enum, u.Fields[name])
		}
		out.Properties[u.Discriminator] = d
	}
	return &out
}

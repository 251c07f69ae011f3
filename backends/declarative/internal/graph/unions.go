package graph

import (
	"encoding/json"
	"maps"
	"slices"

	"k8s.io/kube-openapi/pkg/validation/spec"
)

// union is an entry of x-kubernetes-unions (KEP-2335): fields of which exactly one is set, each
// with the value that the discriminator has then.
type union struct {
	Discriminator string            `json:"discriminator,omitempty"`
	Fields        map[string]string `json:"fields,omitempty"`
}

// compileUnions requires exactly one of the fields of each union, like the oneOf of KEP-2335
// ("Unfolding the Extensions"). The values of the discriminator become its enum (see
// discriminated). A published schema already has both; they are not added twice.
//
// The proposal wraps a second union, or one beside a oneOf, in an allOf. The author did not
// write that allOf, so its failure is not reported.
func compileUnions(c *compiler, n *Node, s *schemaSite) {
	unions, ok := extension[[]union](s, s.keyword)
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

// published reports whether a schema already requires exactly one of some fields.
func published(s *spec.Schema, fields []string) bool {
	same := func(branches []spec.Schema) bool {
		return slices.EqualFunc(branches, fields, func(branch spec.Schema, name string) bool {
			return slices.Equal(branch.Required, []string{name})
		})
	}
	return same(s.OneOf) || slices.ContainsFunc(s.AllOf, func(all spec.Schema) bool { return same(all.OneOf) })
}

// discriminated adds the values of each union as the enum of its discriminator, unless that
// has one. A schema without unions, or whose unions have no effect, is returned as it is.
func (c *compiler) discriminated(s *spec.Schema) *spec.Schema {
	written, ok := s.Extensions[unionsKeyword]
	if !ok || !c.opts.Proposals || len(s.Properties) == 0 {
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

package graph

import (
	"maps"
	"slices"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/internal/keyword"
	"github.com/diffrun/diffrun/backends/declarative/internal/view"
	"github.com/diffrun/diffrun/backends/declarative/tally"
)

// structure holds the keywords about the entries of a map, and allOf, anyOf, oneOf and not. Unlike
// the keywords of package keyword, they need more than the value.
type structure struct {
	Required *required
	Closed   *keyword.Site // additionalProperties: false
	Size     *size
	Junctors []Junctor
}

// required is the keyword "required". Its error is at the missing property.
type required struct {
	Names  []string
	Site   keyword.Site
	places []*view.Name // of the names
	Tallys []tally.ID   // of each name; nil: nothing is counted
}

// size is minProperties and maxProperties. A nil bound is absent.
type size struct {
	Min, Max         *int64
	MinSite, MaxSite keyword.Site
}

// Junctor is an allOf, anyOf, oneOf or not with its schemas. A not has one.
type Junctor struct {
	Kind     junctorKind
	Site     keyword.Site
	Branches []*Node
}

type junctorKind uint8

const (
	AllOf junctorKind = iota
	AnyOf
	OneOf
	Not
)

// compileProperties compiles the keywords about the entries of an object.
func compileProperties(_ *compiler, n *Node, s *schemaSite) {
	p := s.schema
	if extra := p.AdditionalProperties; extra != nil && !extra.Allows && extra.Schema == nil {
		site := s.Site("additionalProperties")
		n.Closed = &site
	}
	if p.MinProperties != nil || p.MaxProperties != nil {
		n.Size = &size{Min: p.MinProperties, MinSite: s.Site("minProperties"), Max: p.MaxProperties, MaxSite: s.Site("maxProperties")}
	}
}

func compileRequired(c *compiler, n *Node, s *schemaSite) {
	if len(s.schema.Required) > 0 {
		n.Required = &required{Names: s.schema.Required, Site: s.Site("required"), Tallys: c.requiredPlaces(s)}
		for _, name := range n.Required.Names {
			n.Required.places = append(n.Required.places, view.NewName(name))
		}
	}
}

// In returns the i-th required property of a value.
func (r *required) In(read *view.Reader, v view.View, i int) (view.View, bool) {
	return read.Named(v, r.places[i])
}

// junctor compiles allOf, anyOf, oneOf or not.
func junctor(kind junctorKind, schemas func(*spec.Schema) []spec.Schema) func(*compiler, *Node, *schemaSite) {
	return func(c *compiler, n *Node, s *schemaSite) { n.join(c, s, kind, schemas(s.schema)) }
}

// negated is the schema of not.
func negated(s *spec.Schema) []spec.Schema {
	if s.Not == nil {
		return nil
	}
	return []spec.Schema{*s.Not}
}

// join adds a junctor.
func (n *Node) join(c *compiler, s *schemaSite, kind junctorKind, schemas []spec.Schema) {
	if len(schemas) == 0 {
		return
	}
	branches := make([]*Node, len(schemas))
	for i := range schemas {
		branches[i] = c.node(&schemas[i], place{keyword: s.keyword, index: i, indexed: kind != Not}, branchPlace{of: n})
	}
	if kind == AllOf {
		n.AllOf = branches
	} else {
		n.branches = append(n.branches, branches...)
	}
	n.Junctors = append(n.Junctors, Junctor{Kind: kind, Site: s.site(), Branches: branches})
}

func sortedNames(m map[string]spec.Schema) []string { return slices.Sorted(maps.Keys(m)) }

func refusePatternProperties(_ *compiler, _ *Node, s *schemaSite) {
	p := s.schema
	if len(p.PatternProperties) > 0 {
		s.Mistakef("patternProperties", "", "is not supported, as in a CRD: use additionalProperties")
	}
	if len(p.Dependencies) > 0 {
		s.Mistakef("dependencies", "", "is not supported, as in a CRD: use x-kubernetes-validations")
	}
}

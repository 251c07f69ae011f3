package graph

import (
	"slices"
	"sort"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/internal/keyword"
	"github.com/diffrun/diffrun/backends/declarative/internal/tally"
)

// structure is what a schema asks of the entries of a map, and what its junctors ask.
// It is checked with the schemas around it in view, unlike the keywords of package
// keyword.
type structure struct {
	Required *required
	Closed   *keyword.Site // additionalProperties: false
	Size     *size
	Junctors []Junctor
}

// required is the keyword of that name. The error is at the property that is missing.
type required struct {
	Names  []string
	Site   keyword.Site
	Tallys []tally.ID // of each name; nil: nothing is counted
}

// size is minProperties and maxProperties; nil is no bound.
type size struct {
	Min, Max         *int64
	MinSite, MaxSite keyword.Site
}

// Junctor is one of allOf, anyOf, oneOf and not with its schemas; not has one.
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

// compileProperties compiles what is said about the entries of an object as a whole.
func compileProperties(_ *compiler, n *Node, s schemaSite) {
	p := s.schema
	if extra := p.AdditionalProperties; extra != nil && !extra.Allows && extra.Schema == nil {
		site := s.Site("additionalProperties")
		n.Closed = &site
	}
	if p.MinProperties != nil || p.MaxProperties != nil {
		n.Size = &size{Min: p.MinProperties, MinSite: s.Site("minProperties"), Max: p.MaxProperties, MaxSite: s.Site("maxProperties")}
	}
}

func compileRequired(c *compiler, n *Node, s schemaSite) {
	if len(s.schema.Required) > 0 {
		n.Required = &required{Names: s.schema.Required, Site: s.Site("required"), Tallys: c.requiredPlaces(s)}
	}
}

func compileAllOf(c *compiler, n *Node, s schemaSite) {
	if len(s.schema.AllOf) > 0 {
		n.AllOf = compileBranches(c, n, s, s.schema.AllOf)
		n.Junctors = append(n.Junctors, Junctor{Kind: AllOf, Site: s.site(), Branches: n.AllOf})
	}
}

func compileAnyOf(c *compiler, n *Node, s schemaSite) { n.join(c, s, AnyOf, s.schema.AnyOf) }

func compileOneOf(c *compiler, n *Node, s schemaSite) { n.join(c, s, OneOf, s.schema.OneOf) }

func compileNot(c *compiler, n *Node, s schemaSite) {
	if s.schema.Not != nil {
		branch := c.node(s.schema.Not, place{keyword: s.keyword}, branchPlace{of: n})
		n.branches = append(n.branches, branch)
		n.Junctors = append(n.Junctors, Junctor{Kind: Not, Site: s.site(), Branches: []*Node{branch}})
	}
}

// join adds an anyOf or oneOf.
func (n *Node) join(c *compiler, s schemaSite, kind junctorKind, schemas []spec.Schema) {
	if len(schemas) == 0 {
		return
	}
	branches := compileBranches(c, n, s, schemas)
	n.branches = append(n.branches, branches...)
	n.Junctors = append(n.Junctors, Junctor{Kind: kind, Site: s.site(), Branches: branches})
}

func compileBranches(c *compiler, n *Node, s schemaSite, schemas []spec.Schema) []*Node {
	branches := make([]*Node, len(schemas))
	for i := range schemas {
		branches[i] = c.node(&schemas[i], place{keyword: s.keyword, index: i, indexed: true}, branchPlace{of: n})
	}
	return slices.Clip(branches)
}

func sortedNames(m map[string]spec.Schema) []string {
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

func refusePatternProperties(_ *compiler, _ *Node, s schemaSite) {
	p := s.schema
	if len(p.PatternProperties) > 0 {
		s.Mistakef("patternProperties", "", "is not supported, as in a CRD: use additionalProperties")
	}
	if len(p.Dependencies) > 0 {
		s.Mistakef("dependencies", "", "is not supported, as in a CRD: use x-kubernetes-validations")
	}
}

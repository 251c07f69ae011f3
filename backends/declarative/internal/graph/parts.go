package graph

import (
	"maps"
	"slices"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// Parts are the properties of a node with their nodes, in the order of their names.
type Parts struct {
	All   []Part
	names *view.Names // nil: there are too many
}

// Part is a property with its node.
type Part struct {
	Name string
	Node *Node
}

// newParts makes the Parts of a node. Its Names skip the properties that have nothing to check.
func (n *Node) newParts() *Parts {
	p := &Parts{}
	names := slices.Sorted(maps.Keys(n.Properties))
	for _, name := range names {
		p.All = append(p.All, Part{name, n.Properties[name]})
	}
	if len(names) <= view.MostNames {
		p.names = view.NewNames(names, func(i int, kind view.Kind) bool {
			property := p.All[i].Node
			return !property.Idle(kind) && (kind != view.Null || property.Nullable)
		})
	}
	return p
}

// In returns the fields of a Go struct that may be among the Parts. It is false for any other value, and
// if there are too many Parts.
func (p *Parts) In(v view.View) (view.Fields, bool) {
	if p.names == nil {
		return view.Fields{}, false
	}
	return p.names.In(v)
}

// Parts returns the Parts of the node, which are made on first use.
func (n *Node) Parts() *Parts {
	made := n.parts.Load()
	if made == nil {
		made = n.newParts()
		n.parts.Store(made)
	}
	return made
}

// Idle reports whether the node has nothing to check of a scalar of a kind, and no rules.
func (n *Node) Idle(kind view.Kind) bool {
	return kind != view.Map && kind != view.List && n.Types[kind] == nil && len(n.Checks[kind]) == 0 &&
		len(n.Referenced)+len(n.Junctors)+len(n.Rules) == 0
}

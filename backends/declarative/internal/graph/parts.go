package graph

import (
	"maps"
	"slices"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// Parts are properties of objects and their nodes, in the order of their names.
type Parts struct {
	All   []Part
	names *view.Names // nil: there are too many
}

// Part is a property with its node.
type Part struct {
	Name string
	Node *Node
	At   *view.Name // the same, to look it up
}

// newParts makes Parts of the wanted properties of a node.
func (n *Node) newParts(want func(property *Node) bool, wanted func(property *Node, kind view.Kind) bool) *Parts {
	p := &Parts{}
	for _, name := range slices.Sorted(maps.Keys(n.Properties)) {
		if property := n.Properties[name]; want(property) {
			p.All = append(p.All, Part{name, property, view.NewName(name)})
		}
	}
	if len(p.All) > view.MostNames {
		return p
	}
	names := make([]string, len(p.All))
	for i := range p.All {
		names[i] = p.All[i].Name
	}
	p.names = view.NewNames(names, func(i int, kind view.Kind) bool { return wanted(p.All[i].Node, kind) })
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

// Checked are the properties that have something to check. They are made on first use.
func (n *Node) Checked() *Parts {
	made := n.checked.Load()
	if made == nil {
		made = n.newParts(func(*Node) bool { return true }, func(property *Node, kind view.Kind) bool {
			return !property.Idle(kind) && (kind != view.Null || property.Nullable)
		})
		n.checked.Store(made)
	}
	return made
}

// Idle reports whether the node has nothing to check of a scalar of a kind, and no rules.
func (n *Node) Idle(kind view.Kind) bool {
	return kind != view.Map && kind != view.List && n.Types[kind] == nil && len(n.Checks[kind]) == 0 && len(n.Referenced)+len(n.Junctors)+len(n.Rules) == 0
}

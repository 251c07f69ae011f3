package graph

import (
	"cmp"
	"sync/atomic"

	"github.com/diffrun/diffrun/backends/declarative/internal/cel/types"
	"github.com/diffrun/diffrun/backends/declarative/internal/keyword"
	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// Node is one compiled schema. It holds everything that depends on the schema alone:
// regular expressions, formats, messages, programs. Nodes form a graph, with cycles where
// definitions have them. They never change after Compile.
type Node struct {
	// id is the number of the node's draft while the schema is compiled.
	id int32

	// Types holds the type check for each kind that may violate it. Checks holds the other
	// keywords that need nothing but the value, in the order of the keyword table.
	Types  [view.Kinds]*keyword.TypeCheck
	Checks [view.Kinds][]keyword.Check

	// Score is what a visited value of a kind adds to the score of a branch; the branch with
	// the highest score explains a failed anyOf or oneOf (keyword.Dialect.Scores).
	Score [view.Kinds]int

	structure

	// The nodes that properties, entries and items of a value are validated against.
	Properties map[string]*Node
	Additional *Node
	Items      *Node
	parts      atomic.Pointer[Parts]
	Referenced []*Node // the target of a $ref that has keywords beside it
	AllOf      []*Node
	branches   []*Node // of anyOf, oneOf and not

	Rules    []Rule
	Ruled    []string // the properties that have rules, or rules below them, sorted
	Groups   []Group  // of the rules
	Grouped  bool     // each rule is in a group
	HasRules bool     // here or below, branches of anyOf, oneOf and not left out

	typ       *types.Type // of values in rules; nil: no rule sees them
	custom    bool        // of a custom resource
	Nullable  bool
	zeros     zeros
	StripZero bool     // a zero value counts as absent
	Strips    bool     // some property strips zeros
	Zeroless  bool     // some property, or additionalProperties, strips zeros
	listKeys  []string // x-kubernetes-list-map-keys of a list of type map
	declares  struct{ others, item *Node }
}

// Property returns the node of a property that is declared here or by the target of a
// $ref. It is nil for a name that only additionalProperties covers.
func (n *Node) Property(name string) *Node {
	if n == nil {
		return nil
	}
	if p, ok := n.Properties[name]; ok {
		return p
	}
	for _, base := range n.Referenced {
		if p := base.Property(name); p != nil {
			return p
		}
	}
	return nil
}

// Field returns the node that an entry of a map is validated against: the node of the
// property, or else of additionalProperties, or else nil.
func (n *Node) Field(name string) *Node {
	if p := n.Property(name); p != nil {
		return p
	}
	return n.others()
}

// others returns the node of additionalProperties.
func (n *Node) others() *Node {
	if n == nil {
		return nil
	}
	return n.declares.others
}

// Item returns the node of a list's items.
func (n *Node) Item() *Node {
	if n == nil {
		return nil
	}
	return n.declares.item
}

// MapKeys returns the keys that correlate the items of a list of type map.
func (n *Node) MapKeys() []string {
	if n == nil {
		return nil
	}
	return n.listKeys
}

// zeros is what happens to a zero value when an object is prepared (KEP-4153, "Optional
// Zero Fields"): zeros are stripped, then defaults are filled in. So a zero that is the
// default counts as set.
type zeros struct {
	strip           bool // x-kubernetes-strip-zero
	defaulted, kept bool // there is a default; it is the zero
}

// inherit copies the settings of the target of a reference that are not set beside it.
func (z *zeros) inherit(base zeros) {
	z.strip = z.strip || base.strip
	if !z.defaulted {
		z.defaulted, z.kept = base.defaulted, base.kept
	}
}

// link copies the settings that a node inherits from the target of a reference. It runs
// after all nodes are compiled.
func (n *Node) link() {
	n.declares.others, n.declares.item = n.Additional, n.Items
	for _, base := range n.Referenced {
		base.link()
		n.declares.others = cmp.Or(n.declares.others, base.declares.others)
		n.declares.item = cmp.Or(n.declares.item, base.declares.item)
		if n.listKeys == nil {
			n.listKeys = base.listKeys
		}
		n.Nullable = n.Nullable || base.Nullable
		n.zeros.inherit(base.zeros)
		n.Strips = n.Strips || base.Strips
		n.Zeroless = n.Zeroless || base.Zeroless
	}
	n.StripZero = n.zeros.strip && !n.zeros.kept
	n.Zeroless = n.Zeroless || (n.Additional != nil && n.Additional.StripZero)
	for _, p := range n.Properties {
		n.Strips = n.Strips || p.StripZero
		n.Zeroless = n.Zeroless || n.Strips
	}
}

// on adds a check for values of some kinds.
func (n *Node) on(c keyword.Check, kinds ...view.Kind) {
	for _, k := range kinds {
		n.Checks[k] = append(n.Checks[k], c)
	}
}

// Step is how a part of a value is reached from its parent.
type Step uint8

const (
	ToRoot  Step = iota
	ToField      // a declared property
	ToKey        // an entry that additionalProperties covers
	ToItem
)

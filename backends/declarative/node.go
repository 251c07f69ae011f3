package declarative

import (
	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// node is one compiled schema. All that can be computed from the schema alone is
// in it: regular expressions, formats, messages, programs. Nodes form a graph
// with cycles where definitions do, and never change once Compile returned.
type node struct {
	// id is the number of the node's draft while the schema is compiled.
	id int32

	// checks are what a value of a kind must satisfy, in the order of the keyword
	// table.
	checks [view.Kinds][]check

	// score is what visiting a value of a kind counts for in the choice of the
	// branch that explains a failed anyOf or oneOf best (see junctors.go).
	score [view.Kinds]int

	// The structure: what a value's parts are validated against.
	properties map[string]*node
	additional *node
	items      *node
	also       []*node // the target of a $ref that has keywords beside it
	allOf      []*node
	branches   []*node // of anyOf, oneOf and not

	rules     []rule
	ruleNames []string // the properties that have rules, or rules below them
	ruleParts []rulePart
	hasRules  bool // here or below, branches of anyOf, oneOf and not left out

	custom    bool // of a custom resource
	nullable  bool
	zeros     zeros
	stripZero bool     // a zero value counts as absent
	strips    bool     // some property strips zeros
	zeroless  bool     // some property, or additionalProperties, strips zeros
	listKeys  []string // x-kubernetes-list-map-keys of a list of type map
}

// check is what one keyword asks of a value. It reports failures to the walk. A check
// is made once and shared by all goroutines.
type check interface {
	check(w *walk, f *frame)
}

// property is the node of a named property, whether declared here or by what $ref
// names. It is nil for a name that only additionalProperties covers.
func (n *node) property(name string) *node {
	if n == nil {
		return nil
	}
	if p, ok := n.properties[name]; ok {
		return p
	}
	for _, base := range n.also {
		if p := base.property(name); p != nil {
			return p
		}
	}
	return nil
}

// field is the node that an entry of a map is validated against: that of the
// property, else that of additionalProperties, else nil.
func (n *node) field(name string) *node {
	if p := n.property(name); p != nil {
		return p
	}
	return n.others()
}

// others is the node of additionalProperties.
func (n *node) others() *node {
	if n == nil {
		return nil
	}
	if n.additional != nil {
		return n.additional
	}
	for _, base := range n.also {
		if a := base.others(); a != nil {
			return a
		}
	}
	return nil
}

// item is the node of a list's items.
func (n *node) item() *node {
	if n == nil {
		return nil
	}
	if n.items != nil {
		return n.items
	}
	for _, base := range n.also {
		if i := base.item(); i != nil {
			return i
		}
	}
	return nil
}

// mapKeys are the keys that correlate the items of a list of type map.
func (n *node) mapKeys() []string {
	if n == nil {
		return nil
	}
	if n.listKeys != nil {
		return n.listKeys
	}
	for _, base := range n.also {
		if k := base.mapKeys(); k != nil {
			return k
		}
	}
	return nil
}

// zeros is what becomes of zero values when an object is prepared (KEP-4153, "Optional
// Zero Fields"): they are stripped, and then the default is filled in. So a zero that is
// the default is a value that is set.
type zeros struct {
	strip           bool // x-kubernetes-strip-zero
	defaulted, kept bool // there is a default; it is the zero
}

// inherit takes over what the target of a reference says, unless that is said beside it.
func (z *zeros) inherit(base zeros) {
	z.strip = z.strip || base.strip
	if !z.defaulted {
		z.defaulted, z.kept = base.defaulted, base.kept
	}
}

// link takes over what a reference contributes to the node itself. It is called
// when all nodes are compiled.
func (n *node) link() {
	for _, base := range n.also {
		base.link()
		n.nullable = n.nullable || base.nullable
		n.zeros.inherit(base.zeros)
		n.strips = n.strips || base.strips
		n.zeroless = n.zeroless || base.zeroless
	}
	n.stripZero = n.zeros.strip && !n.zeros.kept
	n.zeroless = n.zeroless || (n.additional != nil && n.additional.stripZero)
	for _, p := range n.properties {
		n.strips = n.strips || p.stripZero
		n.zeroless = n.zeroless || n.strips
	}
}

// on adds a check for values of some kinds.
func (n *node) on(c check, kinds ...view.Kind) {
	for _, k := range kinds {
		n.checks[k] = append(n.checks[k], c)
	}
}

package graph

import (
	"slices"

	"github.com/diffrun/diffrun/backends/declarative/internal/cel"
)

// Group has the rules of a node that are proven at once. They hold for the same subresources.
type Group struct {
	*cel.Proof
	For *Subresources
}

// maxGroups is the maximum number of groups of a node: one for each bit of a set.
const maxGroups = 64

// groupRules groups the rules of all nodes.
func (c *compiler) groupRules() {
	for _, d := range c.drafts {
		if d.node != nil {
			d.node.groupRules()
		}
	}
}

func (n *Node) groupRules() {
	n.Grouped = true
	for i := range n.Rules {
		first := &n.Rules[i]
		if first.Group != 0 {
			continue
		}
		number := uint64(1) << len(n.Groups)
		var rules []*cel.Program
		for k := i; k < len(n.Rules) && len(n.Groups) < maxGroups; k++ {
			if r := &n.Rules[k]; r.isProvenWith(first) {
				r.Group = number
				rules = append(rules, r.Program)
			}
		}
		if len(rules) == 0 {
			n.Grouped = false
			continue
		}
		n.Groups = append(n.Groups, Group{cel.NewProof(rules), &first.For})
	}
}

func (r *Rule) isProvenWith(first *Rule) bool {
	return r.Group == 0 && r.Program.ProvenWith(first.Program) &&
		slices.Equal(r.For.Only, first.For.Only) && slices.Equal(r.For.Except, first.For.Except)
}

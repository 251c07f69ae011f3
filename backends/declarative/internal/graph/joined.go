package graph

import (
	"slices"

	"github.com/diffrun/diffrun/backends/declarative/internal/cel"
)

// Joined are rules of a node that are proven at once. They hold for the same subresources.
type Joined struct {
	*cel.Joined
	For *Subresources
}

// maxJoined is how many groups of joined rules a node has at most: as many as a set of 64 bits
// has beside zero, which is no group.
const maxJoined = 63

// joinRules joins the rules of all nodes.
func (c *compiler) joinRules() {
	for _, d := range c.drafts {
		if d.node != nil {
			d.node.joinRules()
		}
	}
}

func (n *Node) joinRules() {
	for i := range n.Rules {
		first := &n.Rules[i]
		if first.Group != 0 {
			continue
		}
		if len(n.Joined) == maxJoined {
			n.Alone = append(n.Alone, i)
			continue
		}
		group := len(n.Joined) + 1
		var rules []*cel.Program
		for k := i; k < len(n.Rules); k++ {
			if r := &n.Rules[k]; r.joins(first) {
				r.Group = group
				rules = append(rules, r.Program)
			}
		}
		if len(rules) < 2 {
			first.Group = 0
			n.Alone = append(n.Alone, i)
			continue
		}
		n.Joined = append(n.Joined, Joined{cel.Join(rules), &first.For})
	}
}

func (r *Rule) joins(first *Rule) bool {
	return r.Group == 0 && r.Program.Joins(first.Program) &&
		slices.Equal(r.For.Only, first.For.Only) && slices.Equal(r.For.Except, first.For.Except)
}

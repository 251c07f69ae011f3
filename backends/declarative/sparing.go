package declarative

import (
	"math"
	"slices"

	"github.com/diffrun/diffrun/backends/declarative/cel"
)

// In the API server a rule that is false at an unchanged value is dropped, but one that
// cannot be evaluated there is an error, and all rules draw on one budget. So rules are
// spared in what an update did not change only if they are total (see cel.Total): the
// object fits its schema, what they need is set, and what they could cost is small enough
// to be no matter. Where that is not so they run as in a create.

// sparing is what is known of the rules at a node and below it, for custom resources.
type sparing struct {
	known  bool // the following was found out
	always bool // some rule must run, whether there was a change or not
	needy  bool // some rule needs fields that have defaults

	// cost is what the rules of the node that can be spared can cost on one value. own is
	// the effort that they are (see cel.Total), and below that with the rules in what is in
	// a value.
	cost       uint64
	own, below int

	needed []string // fields of a value that rules here or above need
}

// linkSparing finds out which rules can be spared. It is called when all nodes are there.
func (c *compiler) linkSparing() {
	if c.opts.Semantics != CustomResources {
		return
	}
	for i := range c.drafts {
		if n := c.drafts[i].node; n != nil && n.hasRules {
			c.spare(n)
		}
	}
}

// spare fills in the sparing of a node from its parts. Of a node that is in itself the
// effort counts once.
func (c *compiler) spare(n *node) *sparing {
	s := n.spares()
	if s.known {
		return s
	}
	// All that is below the node counts as what must run until it is known.
	s.known, s.always = true, true
	always := slices.ContainsFunc(slices.Concat(n.also, n.allOf), func(part *node) bool { return part.hasRules })
	for i := range n.rules {
		r := &n.rules[i]
		if r.total = total(r.program); r.total == nil || c.spine(n) != n || !c.markNeeds(n, r.total.Needs) {
			r.total, always = nil, true
			continue
		}
		s.needy = s.needy || len(r.total.Needs) > 0
		s.cost = saturating(s.cost, r.total.Cost)
		s.own += r.total.Effort
	}
	s.below = s.own
	join := func(part *node) int {
		if part == nil || !part.hasRules {
			return 0
		}
		in := c.spare(part)
		always, s.needy = always || in.always, s.needy || in.needy
		return in.below
	}
	const few = 2 // items or entries, where it is not known how many there are
	s.below += few * (join(n.items) + join(n.additional))
	for _, name := range n.ruleNames {
		s.below += join(n.properties[name]) / few
	}
	s.below = min(s.below, math.MaxInt32)
	s.always = always
	return s
}

// spares is the sparing of a node, which is made when it is first asked for.
func (n *node) spares() *sparing {
	if n.sparing == nil {
		n.sparing = &sparing{}
	}
	return n.sparing
}

func total(p *cel.Program) *cel.Total {
	if t, ok := p.Total(); ok {
		return &t
	}
	return nil
}

// markNeeds lets the nodes know that have the fields which are needed. It is false when
// there is none.
func (c *compiler) markNeeds(n *node, needs [][]string) bool {
	for _, way := range needs {
		at := c.seen(n)
		for _, step := range way[:len(way)-1] {
			at = at.stepTo(step)
		}
		name := way[len(way)-1]
		if at.property(name) == nil {
			return false
		}
		if s := at.spares(); !slices.Contains(s.needed, name) {
			s.needed = append(s.needed, name)
		}
	}
	return true
}

// stepTo is a step on a way of cel.Total.
func (n *node) stepTo(step string) *node {
	switch step {
	case cel.EachItem:
		return n.item()
	case cel.EachValue:
		return n.others()
	}
	return n.property(step)
}

// spared says that no rule at and below a value that did not change need be run.
func (w *walk) spared(n *node, f *frame) bool {
	if n.joined() && !f.inSettled() || f.step == toRoot && n.typeRules() {
		return false
	}
	if w.opts.Semantics != CustomResources {
		return !n.transitions
	}
	return !n.sparing.always && (!n.sparing.needy || f.old.filled)
}

// typeRules says that there are rules on the apiVersion or kind of a root, which count
// though it did not change (see typeMeta).
func (n *node) typeRules() bool {
	for _, name := range [...]string{"apiVersion", "kind"} {
		if p := n.property(name); p != nil && p.hasRules {
			return true
		}
	}
	return false
}

// sparedRule says that a rule need not be run on a value that did not change.
func (w *walk) sparedRule(r *rule, f *frame) bool {
	if w.opts.Semantics != CustomResources {
		return !r.program.UsesOldSelf
	}
	if r.total == nil || f.old.filled {
		return r.total != nil
	}
	x, _ := f.val.Data()
	return !slices.ContainsFunc(r.total.Needs, func(way []string) bool { return !meets(x, way) })
}

// meets says that the field at the end of a way is set in a value.
func meets(x any, way []string) bool {
	if len(way) == 0 {
		return x != nil
	}
	switch way[0] {
	case cel.EachItem:
		items, _ := x.([]any)
		return !slices.ContainsFunc(items, func(item any) bool { return !meets(item, way[1:]) })
	case cel.EachValue:
		entries, _ := x.(map[string]any)
		for _, entry := range entries {
			if !meets(entry, way[1:]) {
				return false
			}
		}
		return true
	}
	fields, _ := x.(map[string]any)
	v, ok := fields[way[0]]
	if len(way) == 1 {
		return ok && v != nil
	}
	return !ok || v == nil || meets(v, way[1:])
}

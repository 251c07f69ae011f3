package defaulting

import (
	"maps"
	"slices"

	"github.com/diffrun/diffrun/backends/declarative/structural/skeleton"
)

// plan is what defaulting does with one value. Plans form a graph with cycles where
// schemas do, and never change once Compile returned.
type plan struct {
	// own is what is filled in where the value is missing, with all defaults inside
	// of it. Nil: nothing.
	own       any
	fillsNull bool // a null counts as missing
	strips    bool // a zero value counts as missing

	fields []named         // the properties that have something to do
	others map[string]bool // all properties, where there is a rest
	rest   *plan           // of fields that additionalProperties covers
	item   *plan
	idle   bool // nothing in the value can change
}

type named struct {
	name string
	plan *plan
}

// planner makes plans of the nodes of a skeleton.
type planner struct {
	opts  Options
	plans map[*skeleton.Node]*plan
	order []*skeleton.Node
}

// of is the plan of a node. Fields that turn out to have nothing to do are left in
// it until link.
func (p *planner) of(n *skeleton.Node) *plan {
	if n == nil {
		return nil
	}
	if made, ok := p.plans[n]; ok {
		return made
	}
	made := &plan{
		own:       n.Default,
		fillsNull: p.opts.Nulls == DefaultNulls && !n.Nullable,
		strips:    p.opts.Zeros == StripZeros && n.StripZero,
	}
	p.plans[n] = made
	p.order = append(p.order, n)
	for _, name := range slices.Sorted(maps.Keys(n.Properties)) {
		made.fields = append(made.fields, named{name, p.of(n.Properties[name])})
	}
	if made.rest = p.of(n.Additional); made.rest != nil && len(n.Properties) > 0 {
		made.others = make(map[string]bool, len(n.Properties))
		for name := range n.Properties {
			made.others[name] = true
		}
	}
	made.item = p.of(n.Items)
	return made
}

// link finds the plans by which nothing can change, and leaves them out.
func (p *planner) link() {
	for _, n := range p.order {
		p.plans[n].idle = true
	}
	for changed := true; changed; {
		changed = false
		for _, n := range p.order {
			if one := p.plans[n]; one.idle && one.busy() {
				one.idle, changed = false, true
			}
		}
	}
	for _, n := range p.order {
		one := p.plans[n]
		one.fields = slices.DeleteFunc(one.fields, func(f named) bool {
			return f.plan.idle && f.plan.own == nil && !f.plan.strips
		})
		if one.rest != nil && one.rest.quiet() {
			one.rest, one.others = nil, nil
		}
		if one.item != nil && one.item.quiet() {
			one.item = nil
		}
	}
}

// busy says that some part of the value may change.
func (one *plan) busy() bool {
	for _, f := range one.fields {
		if f.plan.own != nil || f.plan.strips || !f.plan.idle {
			return true
		}
	}
	return (one.rest != nil && !one.rest.quiet()) || (one.item != nil && !one.item.quiet())
}

// quiet says that a value which is always there, an item or the value of a key, does
// not change: only a null in its place would be filled.
func (one *plan) quiet() bool { return one.idle && (one.own == nil || !one.fillsNull) }

package defaulting

import (
	"maps"
	"slices"

	"github.com/diffrun/diffrun/internal/openapi/skeleton"
)

// plan describes how one value is defaulted. The plans of a recursive schema form cycles. A plan
// does not change after Compile.
type plan struct {
	// own is the default of the value, with all defaults inside it filled in. It is nil if there
	// is no default.
	own       any
	fillsNull bool // a null counts as missing
	strips    bool // a zero value counts as missing

	fields []named         // the properties that may change
	others map[string]bool // the names of all properties, if rest is set
	rest   *plan           // for fields covered by additionalProperties
	item   *plan
	idle   bool // no part of the value can change
}

type named struct {
	name string
	plan *plan
}

// planner creates the plans for the nodes of a skeleton.
type planner struct {
	opts  Options
	plans map[*skeleton.Node]*plan
	order []*skeleton.Node
}

// of returns the plan of a node. It includes fields that turn out to be idle; link removes them.
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

// link removes the plans that cannot change anything.
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

// busy reports whether a part of the value may change.
func (one *plan) busy() bool {
	for _, f := range one.fields {
		if f.plan.own != nil || f.plan.strips || !f.plan.idle {
			return true
		}
	}
	return (one.rest != nil && !one.rest.quiet()) || (one.item != nil && !one.item.quiet())
}

// quiet reports whether an item or the value of a key never changes. Such a value is always
// present, so its default only replaces a null.
func (one *plan) quiet() bool { return one.idle && (one.own == nil || !one.fillsNull) }

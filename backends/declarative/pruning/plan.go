package pruning

import (
	"cmp"
	"maps"
	"slices"

	"github.com/diffrun/diffrun/internal/openapi/skeleton"
)

// plan is what pruning does with one value. Which undeclared fields may stay is
// decided when the plan is made, so the walk has no modes. Plans form a graph with
// cycles where schemas do, and never change once Compile returned.
type plan struct {
	names  []*named          // the declared fields, the required ones first
	byName map[string]*named // the same
	rest   *plan             // of fields that additionalProperties covers; nil: there are none
	item   *plan             // nil: items stay as they are
	open   bool              // undeclared fields stay

	embedded  bool // metadata and type are those of a resource, and coerced
	root      bool // the resource is the object itself
	dropsNull bool // a field with this plan is dropped when it is null
	idle      bool // nothing in the value can change
}

type named struct {
	name string
	plan *plan
	role role
}

// role is the role of a field in its resource.
type role uint8

const (
	ordinary role = iota
	typeText      // apiVersion or kind
	metadata
)

// roleOf is the role of a field of a resource.
func roleOf(name string) role {
	switch name {
	case "apiVersion", "kind":
		return typeText
	case "metadata":
		return metadata
	}
	return ordinary
}

// reach is how the schemas around a value treat its undeclared fields.
type reach uint8

const (
	closed reach = iota // they are dropped
	below               // they stay, the schema above preserves them
	all                 // nothing is dropped anywhere below
)

type planKey struct {
	node  *skeleton.Node
	reach reach
}

// planner makes plans of the nodes of a skeleton.
type planner struct {
	opts  Options
	plans map[planKey]*plan
	all   []*plan
	// nothing is the plan of a value that no schema describes.
	nothing *plan
}

func newPlanner(opts Options) *planner {
	p := &planner{opts: opts, plans: map[planKey]*plan{}}
	p.nothing = p.add(&plan{})
	p.nothing.item = p.nothing
	return p
}

func (p *planner) add(made *plan) *plan {
	p.all = append(p.all, made)
	return made
}

func (p *planner) root(n *skeleton.Node) *plan {
	from := closed
	if p.opts.Fields == PreserveUnknown {
		from = all
	}
	if !p.opts.Root {
		return p.of(n, from)
	}
	// A copy: inside of the schema the same node is not the object's root.
	made := p.add(&plan{embedded: true, root: true})
	p.fill(made, n, from)
	return made
}

func (p *planner) of(n *skeleton.Node, from reach) *plan {
	if n.Preserve && from == closed {
		from = below
	}
	key := planKey{n, from}
	if made, ok := p.plans[key]; ok {
		return made
	}
	made := p.add(&plan{embedded: n.Embedded, dropsNull: p.dropsNull(n)})
	p.plans[key] = made
	p.fill(made, n, from)
	return made
}

func (p *planner) dropsNull(n *skeleton.Node) bool {
	return p.opts.Nulls == DropNulls && p.opts.Fields == DropUnknown && !n.Nullable && n.Default == nil
}

func (p *planner) fill(made *plan, n *skeleton.Node, from reach) {
	if n.Preserve && from == closed {
		from = below
	}
	made.open = from != closed
	fields := make(map[string]*plan, len(n.Properties))
	for name, property := range n.Properties {
		fields[name] = p.of(property, p.reachOf(property, from))
	}
	if made.embedded {
		p.implicit(made, n, fields)
	}
	made.declare(fields, n.Required, p.opts.Metadata != LeaveMetadata)
	if n.AdditionalDeclared {
		made.rest = p.additional(n, from)
	}
	made.item = p.items(n, from)
}

// declare enters the declared fields, required ones first: a walk that looks up declared fields
// stops when it has found as many as the map has.
func (one *plan) declare(fields map[string]*plan, required []string, coerced bool) {
	order := slices.Sorted(maps.Keys(fields))
	late := func(name string) int {
		if slices.Contains(required, name) || (one.embedded && roleOf(name) != ordinary) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(order, func(a, b string) int { return cmp.Compare(late(a), late(b)) })
	one.byName = make(map[string]*named, len(order))
	for _, name := range order {
		declared := &named{name: name, plan: fields[name]}
		if one.embedded && coerced {
			declared.role = roleOf(name)
		}
		one.names, one.byName[name] = append(one.names, declared), declared
	}
}

// reachOf returns the reach of a schema that is declared by one with reach from.
func (p *planner) reachOf(n *skeleton.Node, from reach) reach {
	switch {
	case from != below:
		return from
	case p.opts.Preserving == PreservingDeep && len(n.Properties) == 0:
		return below
	}
	return closed
}

func (p *planner) additional(n *skeleton.Node, from reach) *plan {
	switch {
	case n.Additional != nil:
		return p.of(n.Additional, p.reachOf(n.Additional, from))
	case from == closed, from == below && p.opts.Preserving == PreservingOneLevel:
		return p.nothing
	}
	return nil
}

func (p *planner) items(n *skeleton.Node, from reach) *plan {
	switch {
	case n.Items == nil && from == closed:
		return p.nothing
	case n.Items == nil:
		return nil
	case from == below && p.opts.Preserving == PreservingOneLevel:
		return p.of(n.Items, below)
	}
	return p.of(n.Items, p.reachOf(n.Items, from))
}

// implicit plans apiVersion, kind and metadata of a resource: nothing in them is
// unknown to pruning, for metadata is coerced.
func (p *planner) implicit(made *plan, n *skeleton.Node, fields map[string]*plan) {
	for _, name := range []string{"apiVersion", "kind", "metadata"} {
		declared := n.Properties[name]
		if declared == nil || (made.root && p.opts.Metadata != LeaveMetadata) {
			// At the root existing fields are put back after pruning, even null.
			fields[name] = p.add(&plan{open: true})
			continue
		}
		fields[name] = p.of(declared, all)
	}
}

// link finds the plans that can change nothing: those that do not lead to a plan with changes.
func (p *planner) link() {
	for _, one := range p.all {
		one.idle = one.open && (!one.embedded || p.opts.Metadata == LeaveMetadata)
	}
	for changed := true; changed; {
		changed = false
		for _, one := range p.all {
			if one.idle && !one.unchanging() {
				one.idle, changed = false, true
			}
		}
	}
}

// unchanging reports whether no part of the value can change.
func (one *plan) unchanging() bool {
	for _, field := range one.names {
		if field.plan.dropsNull || !field.plan.idle {
			return false
		}
	}
	return (one.rest == nil || (one.rest.idle && !one.rest.dropsNull)) && (one.item == nil || one.item.idle)
}

package read

import (
	"go/types"
	"slices"

	"github.com/google/cel-go/common/operators"

	"github.com/diffrun/diffrun/internal/celexpr"
)

// path is the conditions under which a statement runs, in the loops that it is in. The first frame is outside of loops.
type path []frame

// frame is the conditions in a loop.
type frame struct {
	loop  *loop
	atoms []atom
}

// atom is a condition of a path.
type atom struct {
	condition *condition
	// masks: it says that an error of before was not returned.
	masks bool
	// needed: the program panics without it.
	needed bool
}

// loop is a loop over a list or a map of the object.
type loop struct {
	list celexpr.Expr
	// name is the variable of CEL for the item, or for the key of a map; index is the one for the index.
	name, index string
	isMap       bool
	typ         types.Type
	has         *condition
	// key is the field that is different for all items of the list; empty: there is none.
	key string
	// asked are the conditions that exists returned, by those of an item.
	asked map[uint64]*condition
}

// with returns a path with one more condition.
func (p path) with(c *condition, masks bool) path {
	if c == yes {
		return p
	}
	made := slices.Clone(p)
	last := &made[len(made)-1]
	last.atoms = append(slices.Clip(last.atoms), atom{condition: c, masks: masks})
	return made
}

// in returns a path in a loop.
func (p path) in(l *loop) path {
	return append(slices.Clone(p.with(l.has, false)), frame{loop: l})
}

// decided returns a condition without what the path says about it.
func (p path) decided(c *condition) *condition {
	all := []*condition{}
	for _, f := range p {
		for _, a := range f.atoms {
			all = append(all, a.condition)
		}
	}
	held := and(all...)
	switch {
	case held == no || held.size > largest/2:
		return c
	case and(held, c) == no:
		return no
	case and(and(p.facts(false)...), not(c)) == no:
		return yes
	}
	return c
}

// beyond returns the condition that a statement of a path runs, where it is known that one of another path does: loops
// that the other is not in are asked for an item. Conditions that mask others count if masks is true.
func (p path) beyond(of path, masks bool) *condition {
	made := yes
	for i := len(p) - 1; i >= 0; i-- {
		shared := p.shares(of, i)
		known := map[uint64]bool{}
		if shared {
			for _, a := range of[i].atoms {
				known[a.condition.id] = true
			}
		}
		var here []*condition
		for _, a := range p[i].atoms {
			if !known[a.condition.id] && (masks || !a.masks) {
				here = append(here, a.condition)
			}
		}
		made = and(append(here, made)...)
		if !shared && p[i].loop != nil {
			made = p[i].loop.exists(made)
		}
	}
	return made
}

// goesOn reports whether what runs on another path runs on this one, if it does not panic.
func (p path) goesOn(of path) bool {
	return p.withoutPanics().beyond(of, true) == yes
}

// withoutPanics returns a path without the conditions that the program does not panic.
func (p path) withoutPanics() path {
	made := slices.Clone(p)
	for i := range made {
		if slices.ContainsFunc(made[i].atoms, func(a atom) bool { return a.needed }) {
			made[i].atoms = slices.DeleteFunc(slices.Clone(made[i].atoms), func(a atom) bool { return a.needed })
		}
	}
	return made
}

// panicsMasked returns the path of the next statement: a panic of this one masks it.
func (p path) panicsMasked() path {
	made := p
	for i := range p {
		for j, a := range p[i].atoms {
			if a.needed && !a.masks {
				made = slices.Clone(made)
				made[i].atoms = slices.Clone(made[i].atoms)
				made[i].atoms[j].masks = true
			}
		}
	}
	return made
}

// shares reports whether two paths are in the same loops up to a frame.
func (p path) shares(of path, frame int) bool {
	if frame >= len(of) {
		return false
	}
	for i := range frame + 1 {
		if p[i].loop != of[i].loop {
			return false
		}
	}
	return true
}

// has reports whether a frame of a path has a condition.
func (p path) has(frame int, c *condition) bool {
	return frame < len(p) && slices.ContainsFunc(p[frame].atoms, func(a atom) bool { return a.condition.id == c.id })
}

// equal reports whether two paths are the same.
func (p path) equal(other path) bool {
	return slices.EqualFunc(p, other, func(a, b frame) bool {
		return a.loop == b.loop && slices.EqualFunc(a.atoms, b.atoms, func(x, y atom) bool {
			return x.condition.id == y.condition.id && x.masks == y.masks
		})
	})
}

// joint returns the path of what happens on both of two paths.
func (p path) joint(other path) path {
	made := slices.Clone(p)
	for i, f := range other {
		if !other.shares(p, i) {
			if i == len(made) {
				made = append(made, f)
				continue
			}
			break // the other is in another loop, whose conditions are left out
		}
		atoms := slices.Clip(made[i].atoms)
		for _, a := range f.atoms {
			if !slices.ContainsFunc(atoms, func(b atom) bool { return a.condition.id == b.condition.id }) {
				atoms = append(atoms, a)
			}
		}
		made[i].atoms = atoms
	}
	return made
}

// bare returns a path without conditions.
func (p path) bare() path {
	made := slices.Clone(p)
	for i := range made {
		made[i].atoms = nil
	}
	return made
}

// exists returns the condition that one item of the loop fulfils a condition.
func (l *loop) exists(c *condition) *condition {
	if c == no {
		return no
	}
	if l.asked[c.id] == nil {
		l.asked[c.id] = l.anItem(c)
	}
	return l.asked[c.id]
}

func (l *loop) anItem(c *condition) *condition {
	parts := []*condition{c}
	if c.operator == operators.LogicalAnd {
		parts = c.parts
	}
	var outside, inside []*condition
	for _, part := range parts {
		if part.uses(l.name) || part.uses(l.index) {
			inside = append(inside, part)
		} else {
			outside = append(outside, part)
		}
	}
	if len(inside) == 0 {
		some := that(celexpr.Call(operators.Greater, celexpr.Call("size", l.list), celexpr.Literal(int64(0))))
		return and(append(outside, some)...)
	}
	body := and(inside...).asExpr()
	args := []celexpr.Expr{celexpr.Name(l.name), body}
	if !l.isMap && uses(body, l.index) {
		args = append([]celexpr.Expr{celexpr.Name(l.index)}, args...)
	}
	return and(append(outside, that(celexpr.Method(l.list, "exists", args...)))...)
}

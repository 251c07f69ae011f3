package defaulting

import (
	"maps"
	"slices"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// walk defaults one object.
type walk struct {
	// fill returns the value to use for a missing part. It is called only for plans that have a
	// default.
	fill func(p *plan) any
}

// copying is a map that is copied before its first change.
type copying struct {
	fields  map[string]any
	changed bool
}

func (c *copying) own() map[string]any {
	if !c.changed {
		c.fields, c.changed = maps.Clone(c.fields), true
		if c.fields == nil {
			c.fields = map[string]any{}
		}
	}
	return c.fields
}

// object defaults a map. It returns a copy, or false if nothing changed.
func (w *walk) object(x map[string]any, p *plan) (map[string]any, bool) {
	c := copying{fields: x}
	for i := range p.fields {
		f := &p.fields[i]
		v, found := x[f.name]
		if found && f.plan.strips && view.Zero(v) {
			delete(c.own(), f.name)
			found = false
		}
		if !found {
			if f.plan.own != nil {
				c.own()[f.name] = w.fill(f.plan)
			}
			continue
		}
		if out, changed := w.part(v, f.plan); changed {
			c.own()[f.name] = out
		}
	}
	if p.rest != nil {
		for name, v := range x {
			if p.others[name] {
				continue
			}
			if out, changed := w.part(v, p.rest); changed {
				c.own()[name] = out
			}
		}
	}
	return c.fields, c.changed
}

// list defaults the items of a list.
func (w *walk) list(x []any, p *plan) ([]any, bool) {
	out, changed := x, false
	for i, v := range x {
		filled, ok := w.part(v, p)
		if !ok {
			continue
		}
		if !changed {
			out, changed = slices.Clone(x), true
		}
		out[i] = filled
	}
	return out, changed
}

// part defaults a value that is present. It may be a null that counts as missing.
func (w *walk) part(v any, p *plan) (any, bool) {
	if v == nil {
		if p.fillsNull && p.own != nil {
			return w.fill(p), true
		}
		return nil, false
	}
	return w.value(v, p)
}

// value defaults the parts of a value.
func (w *walk) value(v any, p *plan) (any, bool) {
	if p.idle {
		return nil, false
	}
	switch v := v.(type) {
	case map[string]any:
		if out, changed := w.object(v, p); changed {
			return out, true
		}
	case []any:
		if p.item == nil {
			return nil, false
		}
		if out, changed := w.list(v, p.item); changed {
			return out, true
		}
	}
	return nil, false
}

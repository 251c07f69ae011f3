package pruning

import (
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/object"
)

// walk prunes one object. It writes the path of a finding on the way back up, so a path costs
// nothing without findings.
type walk struct {
	opts    *Options
	dropped []finding
	failed  []finding
}

// finding is a dropped field or an error, and its path.
type finding struct {
	steps object.Path // the last step first
	// within is a path in metadata that was written already, or "".
	within string
	err    *field.Error
}

// copying is a map that is copied when it is first changed.
type copying struct {
	fields  map[string]any
	changed bool
}

func (c *copying) own() map[string]any {
	if !c.changed {
		c.fields, c.changed = maps.Clone(c.fields), true
	}
	return c.fields
}

// object prunes a map. It returns a pruned copy, or false if nothing changed.
func (w *walk) object(x map[string]any, p *plan) (map[string]any, bool) {
	c := copying{fields: x}
	for name, v := range x {
		part, kind := p.rest, object.Key
		if declared := p.byName[name]; declared != nil {
			part, kind = declared.plan, object.Field
		}
		switch {
		case part != nil:
			w.field(v, part, name, kind, &c)
		case !p.open:
			w.drop(name, &c)
		}
	}
	if p.embedded && w.opts.Metadata != LeaveMetadata {
		w.resource(p.root, &c)
	}
	return c.fields, c.changed
}

// field prunes a field that may stay.
func (w *walk) field(v any, p *plan, name string, kind object.Kind, c *copying) {
	dropped, failed := len(w.dropped), len(w.failed)
	switch v := v.(type) {
	case nil:
		if p.dropsNull {
			delete(c.own(), name)
		}
		return
	case map[string]any:
		if p.idle {
			return
		}
		if out, changed := w.object(v, p); changed {
			c.own()[name] = out
		}
	case []any:
		if p.idle {
			return
		}
		if out, changed := w.list(v, p.item); changed {
			c.own()[name] = out
		}
	default:
		return
	}
	if len(w.dropped) > dropped || len(w.failed) > failed {
		w.found(dropped, failed, object.Step{Name: name, Kind: kind})
	}
}

// list prunes the items of a list.
func (w *walk) list(x []any, p *plan) ([]any, bool) {
	if p == nil || p.idle {
		return x, false
	}
	out, changed := x, false
	for i, v := range x {
		dropped, failed := len(w.dropped), len(w.failed)
		if pruned, ok := w.value(v, p); ok {
			if !changed {
				out, changed = slices.Clone(x), true
			}
			out[i] = pruned
		}
		if len(w.dropped) > dropped || len(w.failed) > failed {
			w.found(dropped, failed, object.Step{Index: i, Kind: object.Item})
		}
	}
	return out, changed
}

// value prunes a value of any kind.
func (w *walk) value(v any, p *plan) (any, bool) {
	switch v := v.(type) {
	case map[string]any:
		if out, changed := w.object(v, p); changed {
			return out, true
		}
	case []any:
		if out, changed := w.list(v, p.item); changed {
			return out, true
		}
	}
	return nil, false
}

// found prepends a step to the paths of the findings below it.
func (w *walk) found(dropped, failed int, to object.Step) {
	for i := dropped; i < len(w.dropped); i++ {
		w.dropped[i].steps = append(w.dropped[i].steps, to)
	}
	for i := failed; i < len(w.failed); i++ {
		w.failed[i].steps = append(w.failed[i].steps, to)
	}
}

// drop drops an unknown field.
func (w *walk) drop(name string, c *copying) {
	delete(c.own(), name)
	w.dropped = append(w.dropped, finding{steps: object.Of(name)})
}

package pruning

import (
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// walk prunes one object. What it finds has its path written from its end, as the
// walk comes back up, so that a path costs nothing where nothing is found.
type walk struct {
	opts    *Options
	dropped []finding
	failed  []finding
}

// finding is a dropped field or an error with the way to it.
type finding struct {
	way []step // the last step first
	// within is a path in metadata that was written already, or "".
	within string
	err    *field.Error
}

// object prunes a map. It gives a pruned copy, or false when nothing changed.
func (w *walk) object(x map[string]any, p *plan) (map[string]any, bool) {
	out := x
	changed := false
	own := func() map[string]any {
		if !changed {
			out, changed = maps.Clone(x), true
		}
		return out
	}
	for name, v := range x {
		part, known := p.fields[name]
		step := step{name: name}
		if !known {
			if part = p.rest; part == nil {
				if !p.open {
					delete(own(), name)
					w.drop(step)
				}
				continue
			}
			step.kind = toKey
		}
		if v == nil {
			if part.dropsNull {
				delete(own(), name)
			}
			continue
		}
		if part.idle {
			continue
		}
		if pruned, ok := w.part(v, part, step); ok {
			own()[name] = pruned
		}
	}
	if p.embedded && w.opts.Metadata != LeaveMetadata {
		w.resource(out, p.root, own)
	}
	return out, changed
}

// list prunes the items of a list.
func (w *walk) list(x []any, p *plan) ([]any, bool) {
	out, changed := x, false
	for i, v := range x {
		if pruned, ok := w.part(v, p, step{index: i, kind: toItem}); ok {
			if !changed {
				out, changed = slices.Clone(x), true
			}
			out[i] = pruned
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
		if p.item != nil && !p.item.idle {
			if out, changed := w.list(v, p.item); changed {
				return out, true
			}
		}
	}
	return nil, false
}

// part prunes a value in another one, and puts the step to it before what is found.
func (w *walk) part(v any, p *plan, to step) (any, bool) {
	dropped, failed := len(w.dropped), len(w.failed)
	out, changed := w.value(v, p)
	for i := dropped; i < len(w.dropped); i++ {
		w.dropped[i].way = append(w.dropped[i].way, to)
	}
	for i := failed; i < len(w.failed); i++ {
		w.failed[i].way = append(w.failed[i].way, to)
	}
	return out, changed
}

func (w *walk) drop(last step) {
	w.dropped = append(w.dropped, finding{way: []step{last}})
}

package diff

import (
	"iter"
	"math"
	"reflect"
	"slices"

	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/object"
)

// The numbers of old objects that are made for a transition rule, and of additional new ones for
// each.
const (
	oldObjects = 8
	newObjects = 24
)

// update looks for an example of a transition rule: two objects that both sides accept, where the
// second is refused as an update of the first.
func (t *trial) update(base map[string]any, steps []string) (Example, bool) {
	var accepted []map[string]any
	for object := range t.around(base, steps) {
		object, valid := generate.Mend(t.src, t.accept.schema, object, generate.Mending{
			Wrong:  t.w.wrong(t.accept, t.reject),
			Steps:  leafSteps,
			Object: generate.ObjectOptions{Values: 1},
		})
		known := slices.ContainsFunc(accepted, func(other map[string]any) bool { return reflect.DeepEqual(object, other) })
		if valid && !known {
			accepted = append(accepted, object)
		}
		if len(accepted) == oldObjects {
			break
		}
	}
	for _, old := range accepted {
		for _, object := range append(slices.Clone(accepted), t.changed(old, steps)...) {
			if t.w.ctx.Err() != nil {
				return Example{}, false
			}
			if t.updates(object, old) {
				return t.smallestUpdate(object, old)
			}
		}
	}
	return Example{}, false
}

// around yields objects with other values at the path of the change, or of the fields of its rules.
func (t *trial) around(object map[string]any, steps []string) iter.Seq[map[string]any] {
	return func(yield func(map[string]any) bool) {
		if without := t.maker().With(object, steps, absence{}); without != nil && !yield(without) {
			return
		}
		for _, made := range []iter.Seq[map[string]any]{
			t.ofRules(object, steps),
			t.maker().ForKeyword(object, steps, t.change.Kind, t.reject.schema),
		} {
			for one := range made {
				if !yield(one) {
					return
				}
			}
		}
	}
}

// changed makes new objects from an old one: some with another value at the path of the change,
// some with other changes.
func (t *trial) changed(old map[string]any, steps []string) []map[string]any {
	var all []map[string]any
	for object := range t.around(old, steps) {
		if all = append(all, object); len(all) == newObjects {
			break
		}
	}
	for range newObjects {
		all = append(all, generate.Vary(t.src, t.accept.schema, old, generate.ObjectOptions{Values: 4}))
	}
	return all
}

// updates reports whether both accept the old object, the accepting side accepts the update, and
// the other one rejects it only because of the change.
func (t *trial) updates(object, old map[string]any) bool {
	if len(t.accept.Update(t.w.ctx, object, old)) > 0 {
		return false
	}
	rejections := t.reject.Update(t.w.ctx, object, old)
	return len(rejections) > 0 && !slices.ContainsFunc(rejections, func(r Rejection) bool { return !t.matches(r) }) &&
		len(t.w.wrong(t.accept, t.reject)(old)) == 0
}

// smallestUpdate removes everything irrelevant from both objects.
func (t *trial) smallestUpdate(new, old map[string]any) (Example, bool) {
	smallest := object.Smallest(shrinkWork/(len(asJSON(new))+len(asJSON(old))+1), func(smaller []map[string]any) bool {
		return t.updates(smaller[0], smaller[1])
	}, new, old)
	return t.shown(t.reject.Update(t.w.ctx, smallest[0], smallest[1]), smallest...)
}

// stored looks for an object that both sides accept and store with different values, because a
// default was added, removed or changed.
func (w *witnesser) stored(change Change) (Example, bool) {
	steps := tokens(change.Path)
	t := &trial{w: w, change: change, effect: Stored, accept: w.a, reject: w.b, src: generate.Seeded(w.seed)}
	differs := func(object map[string]any) bool {
		storedA, _ := t.maker().ValueAt(w.a.Stored(object), steps)
		storedB, _ := t.maker().ValueAt(w.b.Stored(object), steps)
		return len(w.wrong(w.a, w.b)(object)) == 0 && !reflect.DeepEqual(storedA, storedB)
	}
	for _, of := range []*searchSide{w.a, w.b} {
		for _, value := range []any{absence{}, nil} {
			made := explore.Maker{Source: t.src, Schema: of.schema}.With(w.base(w.a, w.b), steps, value)
			if made != nil && !differs(made) {
				made, _ = generate.Mend(t.src, of.schema, made, generate.Mending{
					Wrong:  w.wrong(w.a, w.b),
					Steps:  leafSteps,
					Object: generate.ObjectOptions{Values: 1},
				})
			}
			if made == nil || !differs(made) {
				continue
			}
			smallest := object.Smallest(math.MaxInt, func(smaller []map[string]any) bool { return differs(smaller[0]) }, made)[0]
			storedA, _ := along(w.a.Stored(smallest), steps).(map[string]any)
			storedB, _ := along(w.b.Stored(smallest), steps).(map[string]any)
			return Example{Effect: Stored, Object: smallest, StoredA: storedA, StoredB: storedB}, true
		}
	}
	return Example{}, false
}

// along returns the part of a value on the path of a change, in the first item of each list.
func along(value any, steps []string) any {
	if len(steps) == 0 {
		return value
	}
	switch in := value.(type) {
	case map[string]any:
		step := steps[0]
		if step == "*" {
			step = "key"
		}
		part, has := in[step]
		if !has {
			return map[string]any{}
		}
		return map[string]any{step: along(part, steps[1:])}
	case []any:
		if len(in) > 0 {
			return []any{along(in[0], steps[1:])}
		}
	}
	return value
}

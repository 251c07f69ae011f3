package diff

import (
	"iter"
	"math"
	"reflect"
	"slices"

	"github.com/diffrun/diffrun/internal/explore/generate"
)

// OnceStored says what B does with objects that A has stored and that B rejects because of a change.
type OnceStored struct {
	// State is "" if nothing is known.
	State StoredState
	// Objects is the number of stored objects that were updated.
	Objects int
	// Accepted and Refused are the updates that leave the value as it is, by what else they change. An update that was
	// refused for one object is in Refused.
	Accepted, Refused []string
	// Varies reports whether the state is better for other objects that show the change.
	Varies bool
	// Worst is an object for which the state is worse than for the object of the example, and Rejection is what B says
	// about its update.
	Worst     map[string]any
	Rejection Rejection
}

// StoredState is the state of stored objects.
type StoredState string

const (
	// Dropped means that B prunes the value: reads no longer return it, and a write removes it.
	Dropped StoredState = "dropped"
	// StaysEditable means that B accepted all updates that leave the value as it is.
	StaysEditable StoredState = "editable"
	// Restricted means that B accepted a change of the labels, and refused changes of other fields.
	Restricted StoredState = "restricted"
	// BecomesStuck means that B refused even a change of the labels.
	BecomesStuck StoredState = "stuck"
)

// The limits on the stored objects of a change: those that are updated, and those that are made.
const (
	mostStored = 8
	mostMade   = 150
)

// onceStored asks B for updates of objects that A has stored: that of an example, and others that show the same change.
func (w *witnesser) onceStored(change Change, e Example) OnceStored {
	if e.Effect != Narrower || w.b.bare || w.b.Update == nil {
		return OnceStored{}
	}
	t := &trial{w: w, change: change, effect: Narrower, accept: w.a, reject: w.b, src: generate.Seeded(w.seed)}
	if e.Old != nil {
		made := summary([]updated{t.updatesOf(e.Old)})
		if made.State == StaysEditable { // the update of the example is refused
			return OnceStored{}
		}
		return made
	}
	tried := []updated{t.updatesOf(e.Object)}
	stuck := tried[0].state() == BecomesStuck
	for object := range t.others(e) {
		if w.updated++; w.updated > allStored {
			break
		}
		enough := len(tried) >= mostStored
		if enough && (stuck || len(change.rules) == 0) { // only rules have errors that do not ratchet
			break
		}
		// One object is enough that B refuses even without a change.
		if refused := t.refusesUnchanged(object); refused && !stuck || !refused && !enough {
			tried, stuck = append(tried, t.updatesOf(object)), stuck || refused
		}
	}
	made := summary(tried)
	if e.Kind == unknownField {
		made.State = Dropped
	}
	return made
}

// refusesUnchanged reports whether B refuses an update of a stored object that changes nothing.
func (t *trial) refusesUnchanged(object map[string]any) bool {
	stored := t.w.a.Stored(object)
	return slices.ContainsFunc(t.w.b.Update(t.w.ctx, t.w.b.Stored(stored), stored), t.matches)
}

// others yields other objects that show the change of an example: those in which its values differ.
func (t *trial) others(e Example) iter.Seq[map[string]any] {
	return func(yield func(map[string]any) bool) {
		known, left := []map[string]any{e.Object}, mostMade
		how := t.shows(e.Object)
		for object := range t.variants(e.Object) {
			if left--; left < 0 || t.w.ctx.Err() != nil {
				return
			}
			same := slices.ContainsFunc(known, func(other map[string]any) bool { return reflect.DeepEqual(other, object) })
			if same || t.shows(object) < how && !t.needs(object) {
				continue
			}
			if known = append(known, object); !yield(object) {
				return
			}
		}
	}
}

// variants yields objects with other values at the path of the change, or of the fields of its rules. Values that rules
// often cannot be evaluated for come first: the API server reports these errors for unchanged values, too.
func (t *trial) variants(object map[string]any) iter.Seq[map[string]any] {
	steps := tokens(t.change.Path)
	return func(yield func(map[string]any) bool) {
		for _, rule := range t.change.rules {
			for _, path := range append([][]string{nil}, rule.reads.Paths...) {
				for _, value := range extremes() {
					if made := t.maker().With(object, slices.Concat(steps, path), value); made != nil && !yield(made) {
						return
					}
				}
			}
		}
		if t.change.Kind == KindField { // nothing is beside the field
			alone := t.maker().With(object, steps[:len(steps)-1], map[string]any{})
			if alone != nil && !yield(t.maker().WithPart(alone, steps)) {
				return
			}
		}
		for made := range t.around(object, steps) {
			if !yield(made) {
				return
			}
		}
	}
}

// extremes returns values that functions and operators of rules often have no result for.
func extremes() []any {
	return []any{absence{}, "", "x", int64(0), int64(math.MaxInt64), int64(math.MinInt64), []any{}, map[string]any{}, nil}
}

// needs reports whether A accepts an object only with the field that B prunes.
func (t *trial) needs(object map[string]any) bool {
	if t.change.Kind != KindField && t.change.Kind != KindFields || len(t.accept.Validate(t.w.ctx, object)) > 0 || !t.rejects(object) {
		return false
	}
	return len(t.accept.Validate(t.w.ctx, t.w.b.Stored(t.w.a.Stored(object)))) > 0
}

// summary says what the updates of several stored objects have in common. The first is that of the example.
func summary(tried []updated) OnceStored {
	var made OnceStored
	for i := range tried {
		one := &tried[i]
		state := one.state()
		if state == "" {
			continue
		}
		made.Objects++
		made.Varies = made.Varies || made.Objects > 1 && state != made.State
		if worse(state, made.State) {
			made.State, made.Rejection = state, one.rejection
			if i > 0 {
				made.Worst = one.object
			}
		}
		made.Refused = joined(made.Refused, one.refused)
		made.Accepted = joined(made.Accepted, one.accepted)
	}
	made.Accepted = slices.DeleteFunc(made.Accepted, func(name string) bool { return slices.Contains(made.Refused, name) })
	return made
}

// worse reports whether a state is worse than another one.
func worse(state, than StoredState) bool {
	order := []StoredState{"", StaysEditable, Restricted, BecomesStuck}
	return slices.Index(order, state) > slices.Index(order, than)
}

// joined adds the names that a list does not have.
func joined(all, more []string) []string {
	for _, name := range more {
		if !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	return all
}

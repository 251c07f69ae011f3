package diff

import (
	"context"
	"errors"
	"iter"
	"math"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/object"
	"github.com/diffrun/diffrun/internal/openapi"
)

type props = apiextensionsv1.JSONSchemaProps

// Witness adds to each change of Walk the smallest object it can make that shows this change: an
// otherwise valid object that one schema accepts and the other rejects only because of the change.
// Both sides validate each such object, so examples are always true. Changes without an example are
// returned unchanged. The error reports a schema that no objects can be made for, or is that of the
// context.
func Witness(ctx context.Context, a, b Side, changes []Change, seed uint64) ([]Change, error) {
	inA, errA := generate.Expand(a.Schema, a.Definitions)
	inB, errB := generate.Expand(b.Schema, b.Definitions)
	if err := errors.Join(named("A", errA), named("B", errB)); err != nil {
		return nil, err
	}
	w := &witnesser{ctx: ctx, seed: seed, a: &searchSide{schema: inA, Side: a}, b: &searchSide{schema: inB, Side: b}}
	w.mended = min(mendedTries, max(1, allMended/max(1, len(changes))))
	shown := slices.Clone(changes)
	for i, change := range shown {
		for _, effect := range change.directions() {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			if example, found := w.find(change, effect); found {
				example.OnceStored = w.onceStored(change, example)
				shown[i].Examples = append(slices.Clip(shown[i].Examples), example)
			}
		}
		if len(shown[i].Examples) > 0 || change.Kind != "default" && change.Kind != "nullable" {
			continue
		}
		if example, found := w.stored(change); found {
			shown[i].Examples = []Example{example}
			if change.Effect != Other { // something that looks at a default may still refuse it
				shown[i].Effect = Stored
			}
		}
	}
	return shown, ctx.Err()
}

// directions returns the effects that examples of a change may have and that have no example yet.
func (c Change) directions() []Effect {
	all := []Effect{c.Effect}
	if c.Effect == Other || c.Effect == Unknown || c.Kind == "nullable" {
		all = []Effect{Narrower, Wider}
	}
	return slices.DeleteFunc(all, func(effect Effect) bool {
		return slices.ContainsFunc(c.Examples, func(e Example) bool { return e.Effect == effect })
	})
}

type witnesser struct {
	ctx  context.Context
	seed uint64
	a, b *searchSide
	// mended is the number of values whose objects are mended.
	mended int
	// updated is the number of objects that were updated as stored ones.
	updated int
}

// searchSide is one of the schemas, with a valid object to start from.
type searchSide struct {
	Side
	schema *props                    // without references
	base   map[string]any            // nil: not searched yet
	at     map[string]map[string]any // base with a value at a path, by path
}

// The limits on how often a change is tried and how many changes may make an object valid.
const (
	baseTries   = 8
	baseSteps   = 400
	leafSteps   = 60
	mendedTries = 10        // values whose objects are mended, if there are few changes
	allMended   = 400       // such values, for all changes together
	allStored   = 400       // objects that are updated as stored ones, for all changes together beside one for each
	shrinkWork  = 3_000_000 // bytes of objects that are validated while one is shrunk
)

// find makes an example of a change in one direction.
func (w *witnesser) find(change Change, effect Effect) (Example, bool) {
	t := &trial{w: w, change: change, effect: effect, accept: w.a, reject: w.b, src: generate.Seeded(w.seed)}
	if effect == Wider {
		t.accept, t.reject = w.b, w.a
	}
	return w.search(t)
}

// search looks for the example of a trial.
func (w *witnesser) search(t *trial) (Example, bool) {
	steps := tokens(t.change.Path)
	base := w.baseAt(t, steps)
	var second map[string]any // shows the change, among others
	try := func(object map[string]any) bool {
		how := t.shows(object)
		if how == amongOthers && second == nil {
			second = object
		}
		return how == alone
	}
	for object := range t.ofRules(base, steps) {
		if w.ctx.Err() != nil {
			return Example{}, false
		}
		if try(object) {
			return t.example(object, alone)
		}
	}
	mended := w.mended
	for object := range t.maker().ForKeyword(base, steps, t.change.Kind, t.reject.schema) {
		if w.ctx.Err() != nil {
			return Example{}, false
		}
		if mended--; mended >= 0 || t.rejects(object) {
			object = t.mended(object)
		}
		if try(object) {
			return t.example(object, alone)
		}
	}
	if second != nil {
		return t.example(second, amongOthers)
	}
	if slices.ContainsFunc(t.change.rules, func(r writtenRule) bool { return r.updates }) {
		return t.update(base, steps)
	}
	return Example{}, false
}

func (t *trial) maker() explore.Maker {
	return explore.Maker{Source: t.src, Schema: t.accept.schema}
}

// ofRules yields objects in which only fields of the rules of the change are changed, so that the other rules of the
// object still hold.
func (t *trial) ofRules(object map[string]any, steps []string) iter.Seq[map[string]any] {
	return func(yield func(map[string]any) bool) {
		for _, rule := range t.change.rules {
			for made := range t.maker().ForRule(object, steps, rule.reads) {
				if !yield(made) {
					return
				}
			}
		}
	}
}

// base returns an object that a side accepts, and preferably the other side too.
func (w *witnesser) base(of, other *searchSide) map[string]any {
	if of.base != nil {
		return of.base
	}
	of.base = map[string]any{}
	src := generate.Seeded(w.seed)
	for _, who := range [][]*searchSide{{of, other}, {of}} {
		for range baseTries {
			opts := generate.ObjectOptions{Values: 1}
			made, ok := generate.Mend(src, of.schema, generate.Object(src, of.schema, opts),
				generate.Mending{Wrong: w.wrong(who...), Steps: baseSteps, Object: opts})
			if !ok {
				continue
			}
			of.base = object.Smallest(math.MaxInt, func(smaller []map[string]any) bool { return len(w.wrong(who...)(smaller[0])) == 0 },
				made)[0]
			return of.base
		}
	}
	return of.base
}

// baseAt returns base with a value that the rules are about, if a valid one is found.
func (w *witnesser) baseAt(t *trial, steps []string) map[string]any {
	base := w.base(t.accept, t.reject)
	if w.a == w.b { // a Breaker has other sides for each keyword
		return base
	}
	path := strings.Join(steps, "\x00")
	if known, has := t.accept.at[path]; has {
		return known
	}
	if t.accept.at == nil {
		t.accept.at = map[string]map[string]any{}
	}
	t.accept.at[path] = base
	missing := func(object map[string]any) bool {
		value, _ := t.maker().ValueAt(object, steps)
		return value == nil
	}
	if len(t.change.rules) == 0 || !missing(base) {
		return base
	}
	object := t.maker().WithPart(base, steps)
	for _, who := range [][]*searchSide{{t.accept, t.reject}, {t.accept}} {
		mended, ok := generate.Mend(t.src, t.accept.schema, object, generate.Mending{
			Wrong:  w.wrong(who...),
			Steps:  baseSteps,
			Object: generate.ObjectOptions{Values: 1},
		})
		if ok && !missing(mended) {
			t.accept.at[path] = mended
			break
		}
	}
	return t.accept.at[path]
}

// wrong returns what the sides reject in an object.
func (w *witnesser) wrong(who ...*searchSide) func(map[string]any) []generate.Mistake {
	return func(object map[string]any) []generate.Mistake {
		var all []generate.Mistake
		for _, p := range who {
			all = append(all, mistakes(p.Validate(w.ctx, object))...)
		}
		return all
	}
}

// mistakes converts rejections for the generator.
func mistakes(rejections []Rejection) []generate.Mistake {
	var all []generate.Mistake
	for _, r := range rejections {
		all = append(all, generate.Mistake{Field: r.Field, Text: r.Text})
	}
	return all
}

// trial looks for an object that one side accepts and the other rejects for a change.
type trial struct {
	w              *witnesser
	change         Change
	effect         Effect
	accept, reject *searchSide
	src            generate.Source
}

// showing is how an object shows the change.
type showing uint8

const (
	notAtAll showing = iota
	amongOthers
	alone
)

// shows reports whether the accepting side accepts an object that the other one rejects because of
// the change: alone, or among other reasons.
func (t *trial) shows(object map[string]any) showing {
	if object == nil || len(t.accept.Validate(t.w.ctx, object)) > 0 {
		return notAtAll
	}
	rejections := t.reject.Validate(t.w.ctx, object)
	matching := slices.ContainsFunc(rejections, t.matches)
	switch {
	case !matching:
		return notAtAll
	case slices.ContainsFunc(rejections, func(r Rejection) bool { return !t.matches(r) }):
		return amongOthers
	}
	return alone
}

// rejects reports whether the rejecting side rejects an object because of the change.
func (t *trial) rejects(object map[string]any) bool {
	return object != nil && slices.ContainsFunc(t.reject.Validate(t.w.ctx, object), t.matches)
}

// matches reports whether a rejection is for the change.
func (t *trial) matches(r Rejection) bool {
	path, field := tokens(t.change.Path), tokens(r.Field)
	if !isPrefix(path, field) {
		return t.change.refusedAbove() && (isPrefix(field, path) || r.Origin == openapi.XValidations)
	}
	exactly := len(path) == len(field)
	origin, _, _ := strings.Cut(r.Origin, "=") // as in format=ipv4
	switch kind := t.change.Kind; kind {
	case KindRule:
		return origin == openapi.XValidations && strings.Contains(r.Text, t.change.text(t.effect))
	case KindField:
		return (t.change.errorType == unknownField) == (r.Kind == unknownField)
	case KindFields, "items", "allOf", "anyOf", "oneOf", "not":
		return true
	case "exclusiveMaximum":
		return exactly && origin == "maximum"
	case "exclusiveMinimum":
		return exactly && origin == "minimum"
	case "default":
		return exactly && origin == "required" || t.change.refusedAbove()
	case "nullable":
		return exactly
	case openapi.XEmbeddedResource:
		return origin == kind || r.Kind == unknownField && len(field) == len(path)+1 && metaFields[field[len(path)]] != nil
	case openapi.XListType, "uniqueItems":
		return origin == kind
	default:
		return exactly && origin == kind
	}
}

// mended returns an object that the accepting side accepts and the rejecting side still rejects,
// or else the given one.
func (t *trial) mended(object map[string]any) map[string]any {
	if object == nil || t.shows(object) == alone {
		return object
	}
	others := func(changed map[string]any) []generate.Mistake {
		wrong := mistakes(t.accept.Validate(t.w.ctx, changed))
		rejected := t.reject.Validate(t.w.ctx, changed)
		if !slices.ContainsFunc(rejected, t.matches) {
			// Losing the change is worse than any other mistake.
			for range 64 {
				wrong = append(wrong, generate.Mistake{Field: ""})
			}
		}
		for _, r := range rejected {
			if !t.matches(r) {
				wrong = append(wrong, generate.Mistake{Field: r.Field, Text: r.Text})
			}
		}
		return wrong
	}
	changed, _ := generate.Mend(t.src, t.accept.schema, object, generate.Mending{
		Wrong:  others,
		Steps:  leafSteps,
		Object: generate.ObjectOptions{Values: 1},
	})
	if t.shows(changed) != notAtAll {
		return changed
	}
	return object
}

// example shrinks an object while it still shows the change in the same way.
func (t *trial) example(of map[string]any, how showing) (Example, bool) {
	smallest := object.Smallest(shrinkWork/(len(asJSON(of))+1), func(smaller []map[string]any) bool { return t.shows(smaller[0]) >= how },
		of)
	return t.shown(t.reject.Validate(t.w.ctx, smallest[0]), smallest...)
}

// shown returns the example of small objects that are rejected: a new one, and in an update the old one.
func (t *trial) shown(rejections []Rejection, of ...map[string]any) (Example, bool) {
	at := slices.IndexFunc(rejections, t.matches)
	if at < 0 { // the context ended
		return Example{}, false
	}
	e := Example{Effect: t.effect, Object: of[0], Rejection: rejections[at]}
	if len(of) > 1 {
		e.Old = of[1]
	}
	return e, true
}

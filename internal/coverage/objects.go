package coverage

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/internal/parallel"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// Object is one that fails a keyword or rule. The zero value: nobody asked for one.
type Object struct {
	// JSON is null if none was found. Old is the object before, if an update fails the rule.
	JSON, Old json.RawMessage
	// Alone says that nothing else is wrong with it.
	Alone bool
}

// NoObject says that none was found.
func NoObject() Object { return Object{JSON: json.RawMessage("null")} }

// Breaker gives an object that fails a keyword or rule, or NoObject.
type Breaker func(p declarative.Place) Object

// String is the object for people; empty: nobody asked.
func (o Object) String() string {
	const most = 2_000
	text := plaintext.Cut(string(o.JSON), most)
	switch {
	case text == "null":
		return "no object was found that fails it"
	case text != "" && o.Old != nil:
		text = "old " + plaintext.Cut(string(o.Old), most) + ", new " + text
	}
	if text != "" && !o.Alone {
		text += " (wrong in other ways, too)"
	}
	return text
}

// AddObjects adds objects that fail what no input made to fail, to the first few places of each
// group of a target, or to all. The breaker of a target may be nil. Several goroutines call it,
// each for another target. The error is that of an ended context.
func (r *Report) AddObjects(ctx context.Context, all bool, breaker func(t *Target) Breaker) error {
	making := parallel.Queue[*Target, map[placeKey]Object]{
		Do: func(_ context.Context, t *Target) (map[placeKey]Object, error) {
			return t.makeObjects(all, breaker(t)), nil
		},
	}
	next := 0
	making.Take = func(made map[placeKey]Object) error {
		r.Targets[next].objects = made
		next++
		return nil
	}
	return making.Run(ctx, func(yield func(*Target, error) bool) {
		for i := range r.Targets {
			if !yield(&r.Targets[i], nil) {
				return
			}
		}
	})
}

// makeObjects gives objects of the places that are not covered.
func (t *Target) makeObjects(all bool, breaks Breaker) map[placeKey]Object {
	if breaks == nil {
		return nil
	}
	made := map[placeKey]Object{}
	for _, group := range worklist(sections()[0].open(t)) {
		shown := group.places
		if !all && len(shown) > few {
			shown = shown[:few]
		}
		for _, p := range shown {
			made[keyOf(p)] = breaks(p)
		}
	}
	return made
}

// AddLines adds the files and lines of the places where schemas have their keywords, such as
// "crd.yaml:31"; empty: unknown.
func (r *Report) AddLines(line func(t *Target, declared string) string) {
	for i := range r.Targets {
		t := &r.Targets[i]
		t.lines = map[string]string{}
		for _, p := range t.Keywords {
			for _, declared := range p.Declared {
				if at := line(t, declared); at != "" {
					t.lines[declared] = at
				}
			}
		}
	}
}

// linesOf gives the lines that declare a place.
func (t *Target) linesOf(p declarative.Place) []string {
	var all []string
	for _, declared := range p.Declared {
		if at := t.lines[declared]; at != "" && !slices.Contains(all, at) {
			all = append(all, at)
		}
	}
	return all
}

// about is what stands behind the name of a place: where it is declared, and whether an input
// reached it.
func (t *Target) about(s section, p declarative.Place) string {
	text := notReached(s, p)
	if lines := t.linesOf(p); len(lines) > 0 {
		text += ", " + strings.Join(lines, ", ")
	}
	return text
}

func (t *Target) object(p declarative.Place) Object { return t.objects[keyOf(p)] }

package coverage

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/backends/declarative/tally"
	"github.com/diffrun/diffrun/internal/parallel"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// Object is an object that fails a keyword or rule. The zero value means that no object was
// requested.
type Object struct {
	// JSON is null if no object was found. Old is the old object, if an update fails the rule.
	JSON, Old json.RawMessage
	// Alone reports whether the object has no other mistake.
	Alone bool
}

// NoObject is the result of a search that found no object.
func NoObject() Object { return Object{JSON: json.RawMessage("null")} }

// Breaker returns an object that fails a keyword or rule, or NoObject.
type Breaker func(p tally.Place) Object

// String returns the object for people, or "" if none was requested.
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
		text += " (with other mistakes too)"
	}
	return text
}

// AddObjects adds objects that fail the keywords that no input made fail: for the first few places of each
// group of a target, or for all. The breaker of a target may be nil. Breakers of different targets run in
// parallel. The error is that of the context.
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

// makeObjects returns objects for the places that are not covered.
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

// AddLines adds the file and line of each place of a schema that declares a keyword, such as "crd.yaml:31";
// empty: unknown.
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

// linesOf returns the lines that declare a place.
func (t *Target) linesOf(p tally.Place) []string {
	if guardPlaces()[p.Keyword] != "" {
		return p.Declared
	}
	var all []string
	for _, declared := range p.Declared {
		if at := t.lines[declared]; at != "" && !slices.Contains(all, at) {
			all = append(all, at)
		}
	}
	return all
}

// about returns the text after the name of a place: whether an input reached it, and where it is declared.
func (t *Target) about(s section, p tally.Place) string {
	text := notReached(s, p)
	if lines := t.linesOf(p); len(lines) > 0 {
		text += ", " + strings.Join(lines, ", ")
	}
	return text
}

func (t *Target) object(p tally.Place) Object { return t.objects[keyOf(p)] }

package coverage

import (
	"encoding/json"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/internal/plaintext"
)

// Object is one that fails a keyword or rule. The zero value: none was found.
type Object struct {
	JSON json.RawMessage
	// Alone says that nothing else is wrong with it.
	Alone bool
}

// Breaker gives an object that fails a keyword or rule.
type Breaker func(p declarative.Place) Object

// String is the object for people; empty: there is none.
func (o Object) String() string {
	const most = 2_000
	text := plaintext.Cut(string(o.JSON), most)
	if text != "" && !o.Alone {
		text += " (wrong in other ways, too)"
	}
	return text
}

// AddObjects adds objects that fail what no input made to fail, to the first few places of each
// group of a target, or to all. The breaker of a target may be nil.
func (r *Report) AddObjects(all bool, breaker func(t *Target) Breaker) {
	for i := range r.Targets {
		t := &r.Targets[i]
		breaks := breaker(t)
		if breaks == nil {
			continue
		}
		t.objects = map[placeKey]Object{}
		keywords := sections()[0]
		for _, group := range worklist(keywords.open(t)) {
			shown := group.places
			if !all && len(shown) > few {
				shown = shown[:few]
			}
			for _, p := range shown {
				if p.Within == "" {
					t.objects[keyOf(p)] = breaks(p)
				}
			}
		}
	}
}

// object gives the object of a place.
func (t *Target) object(p declarative.Place) Object { return t.objects[keyOf(p)] }

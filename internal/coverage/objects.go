package coverage

import (
	"encoding/json"
	"runtime"
	"slices"
	"strings"
	"sync"

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
// group of a target, or to all. The breaker of a target may be nil. Several goroutines call it,
// each for another target.
func (r *Report) AddObjects(all bool, breaker func(t *Target) Breaker) {
	places := make(chan struct{}, runtime.GOMAXPROCS(0))
	var making sync.WaitGroup
	for i := range r.Targets {
		making.Go(func() {
			places <- struct{}{}
			defer func() { <-places }()
			r.Targets[i].addObjects(all, breaker(&r.Targets[i]))
		})
	}
	making.Wait()
}

func (t *Target) addObjects(all bool, breaks Breaker) {
	if breaks == nil {
		return
	}
	t.objects = map[placeKey]Object{}
	for _, group := range worklist(sections()[0].open(t)) {
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

// object gives the object of a place.
func (t *Target) object(p declarative.Place) Object { return t.objects[keyOf(p)] }

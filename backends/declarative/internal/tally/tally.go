package tally

import (
	"slices"
	"sync"
)

// ID is the number of a place. Nothing is counted for zero.
type ID int32

// Place is a keyword or rule of a schema.
type Place struct {
	// Path is the field whose values the keyword checks: "spec.ports[*].port", "" for the root.
	Path string
	// Within is the branch that has the keyword, with the field that has the junctor, as in
	// "spec.ports[*] anyOf[0]"; empty outside of branches.
	Within string
	// Keyword is the name of the keyword; Index is the place of a rule in its list, or 0.
	Keyword string
	Index   int
	// Value is the value of the keyword, or the text of a rule.
	Value string
}

// Count has the numbers of inputs.
type Count struct {
	// Reached: a value was checked. Passed: at least one value was right. Failed: at least
	// one was wrong. An input with several values may count as passed and as failed.
	Reached, Passed, Failed int
}

// Tally holds the counts of the places of one schema or of several.
type Tally struct {
	mu       sync.Mutex
	places   []Place
	declared []string // by ID-1
	counts   []Count  // by ID-1
	used     []bool
}

// Add registers a place that a schema declares at a place of its own; see Counted. It counts once it is
// in use.
func (t *Tally) Add(p Place, declared string) ID {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.places, t.counts, t.used = append(t.places, p), append(t.counts, Count{}), append(t.used, false)
	t.declared = append(t.declared, declared)
	return ID(len(t.places))
}

// Use marks places as in use. A keyword that has no effect on the type of its values is never in use.
func (t *Tally) Use(ids []ID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, id := range ids {
		t.used[id-1] = true
	}
}

// Counted is a place with its counts.
type Counted struct {
	Place
	Count
	// Declared are the places of the schema that have the keyword, as mistakes name them:
	// "properties[a].maximum". Fields and values of enums have none.
	Declared []string
}

// All returns the places in use, in the order in which they were added. Equal places are merged, with
// the sums of their counts.
func (t *Tally) All() []Counted {
	t.mu.Lock()
	defer t.mu.Unlock()
	var all []Counted
	known := map[Place]int{}
	for i, p := range t.places {
		if !t.used[i] {
			continue
		}
		at, ok := known[p]
		if !ok {
			at, known[p] = len(all), len(all)
			all = append(all, Counted{Place: p})
		}
		if at := &all[at].Declared; t.declared[i] != "" && !slices.Contains(*at, t.declared[i]) {
			*at = append(*at, t.declared[i])
		}
		of := t.counts[i]
		all[at].Reached += of.Reached
		all[at].Passed += of.Passed
		all[at].Failed += of.Failed
	}
	return all
}

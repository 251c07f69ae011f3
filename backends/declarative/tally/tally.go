package tally

import (
	"slices"
	"sync"
)

// ID is the number of a place. Nothing is counted for zero.
type ID int32

// Key identifies a keyword or rule of a schema by the fields of its Place.
type Key struct {
	Path, Within, Keyword string
	Index                 int
	Value                 string
}

type count struct{ reached, passed, failed int }

// Tally holds the counts of the places of one schema or of several.
type Tally struct {
	mu       sync.Mutex
	keys     []Key
	declared []string // by ID-1
	counts   []count  // by ID-1
	used     []bool
}

// Add registers a keyword that a schema declares at a place of its own; see Place. It counts once it is
// in use.
func (t *Tally) Add(key Key, declared string) ID {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.keys, t.counts, t.used = append(t.keys, key), append(t.counts, count{}), append(t.used, false)
	t.declared = append(t.declared, declared)
	return ID(len(t.keys))
}

// Use marks places as in use. A keyword that has no effect on the type of its values is never in use.
func (t *Tally) Use(ids []ID) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, id := range ids {
		t.used[id-1] = true
	}
}

// all returns the places in use, in the order in which they were added. Equal places are merged, with
// the sums of their counts.
func (t *Tally) all() []Place {
	if t == nil {
		return nil
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	var all []Place
	known := map[Key]int{}
	for i, key := range t.keys {
		if !t.used[i] {
			continue
		}
		at, ok := known[key]
		if !ok {
			at, known[key] = len(all), len(all)
			all = append(all, Place{Path: key.Path, Within: key.Within, Keyword: key.Keyword, Index: key.Index, Value: key.Value})
		}
		place := &all[at]
		if t.declared[i] != "" && !slices.Contains(place.Declared, t.declared[i]) {
			place.Declared = append(place.Declared, t.declared[i])
		}
		of := t.counts[i]
		place.Reached += of.reached
		place.Passed += of.passed
		place.Failed += of.failed
	}
	return all
}

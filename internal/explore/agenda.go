package explore

import (
	"hash/fnv"
	"io"
	"slices"

	"github.com/diffrun/diffrun/internal/explore/generate"
)

// task is an input to ask about.
type task struct {
	made
	// id identifies a single change in all runs of a target; zero: it is none.
	id uint64
	// start is true if the whole object is new, not a change of another one.
	start bool
	// site is where the object was changed, and change how.
	site   site
	change change
	// assigned are the values of the fields of a rule, until the input is made; nil: it is no such task.
	assigned *transition
	// remedy is what was changed besides, so that the part is accepted; nil: nothing.
	remedy *remedy
	// opens is a place that no accepted object had when the task was added; empty: none.
	opens string
}

// agenda is the list of single changes to be tried, each once.
type agenda struct {
	tasks [aims][]task
	// known has hashes of earlier inputs: there are a hundred thousand for a large kind.
	known map[uint64]struct{}
	src   generate.Source
	turn  int
	// opened are the places that some accepted object has.
	opened map[string]bool
}

func (a *agenda) init(options Options) {
	a.known, a.opened, a.src = map[uint64]struct{}{}, map[string]bool{}, generate.Seeded(options.Seed+1)
	for _, id := range options.Tried {
		a.known[id] = struct{}{}
	}
}

func (a *agenda) len() int {
	n := 0
	for _, tasks := range a.tasks {
		n += len(tasks)
	}
	return n
}

// first reports whether something is asked for the first time.
func (a *agenda) first(words ...string) bool {
	_, is := a.id(words...)
	return is
}

// id returns a hash of words, and whether it is asked for the first time.
func (a *agenda) id(words ...string) (id uint64, first bool) {
	hash := fnv.New64a()
	for _, word := range words {
		_, _ = io.WriteString(hash, word) // a hash takes everything
		_, _ = hash.Write([]byte{0})
	}
	sum := hash.Sum64()
	_, known := a.known[sum]
	a.known[sum] = struct{}{}
	return sum, !known
}

func (a *agenda) add(aim aim, t task) {
	if t.opens != "" {
		aim = opening
	}
	a.tasks[aim] = append(a.tasks[aim], t)
}

// open adds the places that an accepted object has. An empty list opens nothing.
func (a *agenda) open(schema *props, object map[string]any) {
	for _, at := range rootOf(schema, object).sites() {
		if list, isList := at.value.([]any); at.has && (!isList || len(list) > 0) {
			a.opened[at.general()] = true
		}
	}
}

// turns are the aims of tasks in turn, so that none has to wait for the end of others.
var turns = []aim{opening, bound, literal, bound, joint, opening, bound, literal, bound, shape, bound, spelling}

// take returns up to n tasks.
func (a *agenda) take(n int) []task {
	var batch []task
	for len(batch) < n && a.len() > 0 {
		a.turn++
		aim := turns[a.turn%len(turns)]
		if a.turn%2 == 0 && len(a.tasks[read]) > 0 {
			aim = read
		}
		for len(a.tasks[aim]) == 0 {
			aim = (aim + 1) % aims
		}
		tasks := a.tasks[aim]
		at := a.src.IntN(len(tasks))
		one := tasks[at]
		tasks[at] = tasks[len(tasks)-1]
		tasks[len(tasks)-1] = task{}
		a.tasks[aim] = tasks[:len(tasks)-1]
		if one.opens != "" && a.opened[one.opens] {
			if one.remedy != nil {
				continue
			}
			one.opens = ""
			a.add(bound, one)
			continue
		}
		batch = append(batch, one)
	}
	return batch
}

// values are the values that objects have at each place, for use at the same place of others.
type values struct {
	at map[string][]any
	// modes counts the modes of each place.
	modes map[string]int
}

// mostModes is how many modes of a place are explored.
const mostModes = 6

// mode reports whether one more mode of a place is to be explored.
func (v *values) mode(place string) bool {
	v.modes[place]++
	return v.modes[place] <= mostModes
}

func (v *values) init() { v.at, v.modes = map[string][]any{}, map[string]int{} }

// mostValues is how many values are kept for each place, and mostValueSize how large they are.
const (
	mostValues    = 6
	mostValueSize = 2_000
)

// add adds the values of an object.
func (v *values) add(schema *props, object map[string]any) {
	for _, at := range rootOf(schema, object).sites() {
		if !at.has || at.depth() == 0 {
			continue
		}
		place := at.general()
		known := v.at[place]
		if len(known) < mostValues && !slices.ContainsFunc(known, func(other any) bool { return same(other, at.value) }) &&
			small(at.value) {
			v.at[place] = append(known, at.value)
		}
	}
}

func small(value any) bool { return Input{Object: map[string]any{"": value}}.size() < mostValueSize }

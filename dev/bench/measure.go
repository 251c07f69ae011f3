package main

import (
	"runtime"
	"slices"
	"time"
)

// effort is how much is measured.
type effort struct {
	rounds int
	slice  time.Duration // of one contender in one round, at least
}

// subject is one object, and what is done with it.
type subject struct {
	name       string // of the kind, with the size
	bytes      int    // as JSON
	contenders []contender
	slower     []slower
	verbose    bool // fill slower
}

// contender is one way to do something with an object.
type contender struct {
	name string
	do   func()
	// held is the number of bytes that what was compiled holds; 0 for all that is no
	// compilation.
	held func() uint64
}

// result is what a contender took, for one object.
type result struct {
	Subject     string  `json:"subject"`
	Contender   string  `json:"contender"`
	Bytes       int     `json:"bytes"`
	Nanoseconds float64 `json:"nanoseconds"` // of processors, the median of all rounds
	Fastest     float64 `json:"fastest"`     // nanoseconds on average in the fastest round
	Allocations float64 `json:"allocations"`
	Allocated   float64 `json:"allocatedBytes"`
	Held        uint64  `json:"heldBytes,omitempty"`
	With        float64 `json:"withFastPath,omitempty"` // nanoseconds, the fastest round of the goal with the fast path, measured in turn
}

// measure measures the contenders in turn, so that a slow moment of the machine
// does not hit one of them alone.
//
// What a call allocates is collected later, and that is part of what it costs. So a
// round is long enough to contain collections, there are enough rounds for some of them
// to be quiet, and the fastest round is a mean, not the fastest moment, which would be
// one without a collection. Time is that of processors: collections run beside the
// calls, and a busy machine lets a process wait.
func (s *subject) measure(e effort) []result {
	results := make([]result, len(s.contenders))
	times := make([][]float64, len(s.contenders))
	turns := make([]turn, len(s.contenders))
	var live runtime.MemStats
	collected(&live)
	for i, c := range s.contenders {
		c.do() // fills pools and caches
		start := time.Now()
		c.do()
		took := max(time.Since(start), 1)
		results[i] = result{Subject: s.name, Contender: c.name, Bytes: s.bytes}
		results[i].Allocations, results[i].Allocated = allocations(c.do, min(max(1, int(e.slice/took)), 20))
		turns[i] = turn{batch: max(1, int(batchTime/took)), slice: e.slice, most: stretch * e.slice}
		if results[i].Allocated > 0 {
			turns[i].calls = int(collections * float64(live.HeapAlloc) / results[i].Allocated)
		}
		if c.held != nil {
			results[i].Held = c.held()
		}
	}
	for range e.rounds {
		runtime.GC()
		for i, c := range s.contenders {
			times[i] = append(times[i], turns[i].round(c.do))
			if results[i].Allocated > 0 {
				runtime.GC() // what is collected is not collected while the next is measured
			}
		}
	}
	for i := range results {
		slices.Sort(times[i])
		results[i].Fastest, results[i].Nanoseconds = times[i][0], times[i][len(times[i])/2]
	}
	return results
}

const (
	// batchTime is how long calls are made between two looks at the clock, so that
	// these cost nothing beside them.
	batchTime = 50 * time.Microsecond
	// collections is how often a round allocates as much as lives: so often, at the
	// least, it is collected.
	collections = 2
	// stretch is how many times longer a round may become for that. What allocates so
	// little that this is not enough costs its collections next to nothing.
	stretch = 5
)

// turn is how long a contender is measured in one round.
type turn struct {
	batch       int // calls between two looks at the clock
	slice, most time.Duration
	calls       int // by which enough is allocated
}

// round makes calls for a while. It gives the nanoseconds that one took processors, on
// average.
func (t *turn) round(do func()) float64 {
	calls, start, before := 0, time.Now(), spent()
	for {
		for range t.batch {
			do()
		}
		calls += t.batch
		if took := time.Since(start); took >= t.most || took >= t.slice && calls >= t.calls {
			return float64(max(spent()-before, 1)) / float64(calls)
		}
	}
}

// allocations are the number and bytes of allocations of one call, on average.
func allocations(do func(), calls int) (count, bytes float64) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	do()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for range calls {
		do()
	}
	runtime.ReadMemStats(&after)
	return float64(after.Mallocs-before.Mallocs) / float64(calls), float64(after.TotalAlloc-before.TotalAlloc) / float64(calls)
}

// held is how many bytes of memory what is made holds as long as it is there.
func held(make func() any) uint64 {
	const copies = 4
	kept := [copies]any{}
	kept[0] = make() // what is made once for all is not counted
	var before, after runtime.MemStats
	collected(&before)
	for i := range kept[1:] {
		kept[1+i] = make()
	}
	collected(&after)
	runtime.KeepAlive(kept)
	if after.HeapAlloc < before.HeapAlloc {
		return 0
	}
	return (after.HeapAlloc - before.HeapAlloc) / (copies - 1)
}

func collected(m *runtime.MemStats) {
	for range 3 { // pools are emptied in two steps
		runtime.GC()
	}
	runtime.ReadMemStats(m)
}

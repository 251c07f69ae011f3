package main

import (
	"runtime"
	"slices"
	"time"
)

// effort is how much is measured.
type effort struct {
	rounds int
	slice  time.Duration // of one contender in one round
}

// subject is one object, and what is done with it.
type subject struct {
	name       string // of the kind, with the size
	bytes      int    // as JSON
	contenders []contender
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
	Nanoseconds float64 `json:"nanoseconds"` // the median of all rounds
	Fastest     float64 `json:"fastest"`     // nanoseconds in the fastest round
	Allocations float64 `json:"allocations"`
	Allocated   float64 `json:"allocatedBytes"`
	Held        uint64  `json:"heldBytes,omitempty"`
}

// measure measures the contenders in turn, so that a slow moment of the machine
// does not hit one of them alone.
func (s *subject) measure(e effort) []result {
	results := make([]result, len(s.contenders))
	times := make([][]float64, len(s.contenders))
	counts := make([]int, len(s.contenders))
	for i, c := range s.contenders {
		c.do() // fills pools and caches
		start := time.Now()
		c.do()
		counts[i] = max(1, int(e.slice/max(time.Since(start), 1)))
		results[i] = result{Subject: s.name, Contender: c.name, Bytes: s.bytes}
		results[i].Allocations, results[i].Allocated = allocations(c.do, min(counts[i], 20))
		if c.held != nil {
			results[i].Held = c.held()
		}
	}
	for range e.rounds {
		for i, c := range s.contenders {
			runtime.GC()
			start := time.Now()
			for range counts[i] {
				c.do()
			}
			times[i] = append(times[i], float64(time.Since(start).Nanoseconds())/float64(counts[i]))
		}
	}
	for i := range results {
		slices.Sort(times[i])
		results[i].Nanoseconds, results[i].Fastest = times[i][len(times[i])/2], times[i][0]
	}
	return results
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

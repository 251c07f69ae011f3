package main

import (
	"math"
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
	Fastest     float64 `json:"fastest"`     // nanoseconds in the fastest batch of calls
	Allocations float64 `json:"allocations"`
	Allocated   float64 `json:"allocatedBytes"`
	Held        uint64  `json:"heldBytes,omitempty"`
}

// measure measures the contenders in turn, so that a slow moment of the machine
// does not hit one of them alone.
func (s *subject) measure(e effort) []result {
	results := make([]result, len(s.contenders))
	times := make([][]float64, len(s.contenders))
	batches := make([]int, len(s.contenders)) // calls that are timed together
	for i, c := range s.contenders {
		c.do() // fills pools and caches
		start := time.Now()
		c.do()
		took := max(time.Since(start), 1)
		batches[i] = max(1, int(batchTime/took))
		results[i] = result{Subject: s.name, Contender: c.name, Bytes: s.bytes, Fastest: math.Inf(1)}
		results[i].Allocations, results[i].Allocated = allocations(c.do, min(max(1, int(e.slice/took)), 20))
		if c.held != nil {
			results[i].Held = c.held()
		}
	}
	for range e.rounds {
		for i, c := range s.contenders {
			runtime.GC()
			mean, fastest := c.round(e.slice, batches[i])
			times[i] = append(times[i], mean)
			results[i].Fastest = min(results[i].Fastest, fastest)
		}
	}
	for i := range results {
		slices.Sort(times[i])
		results[i].Nanoseconds = times[i][len(times[i])/2]
	}
	return results
}

// batchTime is how long calls are timed together: long beside what reading the clock
// takes, short beside how long the machine leaves a process alone.
const batchTime = 50 * time.Microsecond

// round runs a contender in batches for a while. It gives the nanoseconds of a call, on
// average and in the fastest batch.
func (c *contender) round(slice time.Duration, batch int) (mean, fastest float64) {
	calls := 0
	fastest = math.Inf(1)
	start := time.Now()
	for time.Since(start) < slice {
		begin := time.Now()
		for range batch {
			c.do()
		}
		fastest = min(fastest, float64(time.Since(begin).Nanoseconds())/float64(batch))
		calls += batch
	}
	return float64(time.Since(start).Nanoseconds()) / float64(calls), fastest
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

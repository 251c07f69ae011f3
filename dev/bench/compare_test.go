//go:build unix

package bench

import (
	"runtime"
	"slices"
	"syscall"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// contender is an alternative implementation.
type contender struct {
	name string
	do   func()
}

const (
	// slice is the least time that a contender runs in a round, and mostSlice the longest.
	slice     = 10 * time.Millisecond
	mostSlice = 50 * slice
	// collections is how many times the live heap a contender allocates in a slice. A call pays for the
	// collection of its garbage, so a slice must contain collections; without them the hand-written
	// code, which allocates much, looks a third faster. A contender that does not allocate that much in
	// mostSlice pays next to nothing.
	collections = 2
)

// compare measures ours and the others in turn, a slice each in every round. It reports the time of
// ours, and the ratio NAME/ours for each other: the medians of all rounds.
func compare(b *testing.B, ours func(), others ...contender) {
	b.Helper()
	ours() // the first call of each fills pools and caches
	for _, other := range others {
		other.do()
	}
	var times []float64
	ratios := make([][]float64, len(others))
	for b.Loop() {
		own := timeOf(ours)
		times = append(times, own)
		for i, other := range others {
			ratios[i] = append(ratios[i], timeOf(other.do)/own)
		}
	}
	b.ReportMetric(median(times), "ns/op")
	for i, other := range others {
		b.ReportMetric(median(ratios[i]), other.name+"/ours")
	}
}

// timeOf returns the nanoseconds of processor time that a call takes, on average over a slice.
func timeOf(do func()) float64 {
	runtime.GC() // so that the garbage of the previous contender is not collected in this slice
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	enough := memory.TotalAlloc + collections*memory.HeapAlloc
	start, total := processorTime(), 0
	for calls := 1; ; calls *= 2 {
		for range calls {
			do()
		}
		total += calls
		took := processorTime() - start
		if took < slice {
			continue
		}
		if runtime.ReadMemStats(&memory); memory.TotalAlloc >= enough || took >= mostSlice {
			return float64(took) / float64(total)
		}
	}
}

// processorTime returns how long processors have worked for this process, its garbage collection
// included. Other work on the machine does not count.
func processorTime() time.Duration {
	var use syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &use); err != nil {
		panic(err) // the arguments are constant: it cannot fail
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}

func median(all []float64) float64 {
	slices.Sort(all)
	return all[len(all)/2]
}

// must panics if there are errors: only the validation of valid objects is measured.
func must(errs field.ErrorList) {
	if len(errs) > 0 {
		panic(errs.ToAggregate())
	}
}

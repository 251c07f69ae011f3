package exploring

import (
	"os"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"
)

// SmallHeap is for the exploration of a few kinds, and LargeHeap for runs that remember their inputs.
const (
	SmallHeap = 390 << 20
	LargeHeap = 1500 << 20
)

// heapLimit is the limit of the memory of this process in bytes.
var heapLimit atomic.Int64

// LimitMemory lets the heap grow while it is below a limit, because collecting it takes a quarter of the time of an
// exploration. The variables of the Go runtime take precedence.
func LimitMemory(limit int64) {
	const percent = 300
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
		heapLimit.Store(limit)
		fitting()
	}
}

// fitting lets the limit follow what is in use, from now on.
var fitting = sync.OnceFunc(func() {
	go func() {
		for range time.Tick(time.Second) {
			fitHeap()
		}
	}()
})

// fitHeap raises the limit to twice what is in use, if that is more than two thirds of it: a heap at its limit is
// collected all the time.
func fitHeap() {
	limit := heapLimit.Load()
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	if used := int64(live[0].Value.Uint64()); used > limit/3*2 {
		debug.SetMemoryLimit(2 * used)
		heapLimit.Store(2 * used)
	}
}

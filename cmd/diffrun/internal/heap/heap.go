// Package heap limits the memory of the process, and lets it use that much.
package heap

import (
	"os"
	"runtime/debug"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"
)

// Small is for runs and for the exploration of a few kinds, and Large for commands that remember their inputs; in bytes.
const (
	Small = 390 << 20
	Large = 1500 << 20
)

// current is the limit of the memory of this process in bytes.
var current atomic.Int64

// Limit lets the heap grow while it is below a limit, because collecting it takes a quarter of the time of a run and of an
// exploration. The variables of the Go runtime take precedence.
func Limit(limit int64) {
	const percent = 300
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
		current.Store(limit)
		fitting()
	}
}

// fitting lets the limit follow what is in use, from now on.
var fitting = sync.OnceFunc(func() {
	go func() {
		for range time.Tick(time.Second) {
			fit()
		}
	}()
})

// fit raises the limit to twice what is in use, if that is more than two thirds of it: a heap at its limit is
// collected all the time.
func fit() {
	limit := current.Load()
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	if used := int64(live[0].Value.Uint64()); used > limit/3*2 {
		debug.SetMemoryLimit(2 * used)
		current.Store(2 * used)
	}
}

package exploring

import (
	"os"
	"runtime/debug"
)

// SmallHeap keeps the exploration of 138 kinds below 500 MB, and LargeHeap is for runs that remember their inputs.
const (
	SmallHeap = 390 << 20
	LargeHeap = 1500 << 20
)

// LimitMemory lets the heap grow while it is below a limit, because collecting it takes a quarter of the time of an
// exploration. The variables of the Go runtime take precedence.
func LimitMemory(limit int64) {
	const percent = 300
	if os.Getenv("GOGC") == "" && os.Getenv("GOMEMLIMIT") == "" {
		debug.SetGCPercent(percent)
		debug.SetMemoryLimit(limit)
	}
}

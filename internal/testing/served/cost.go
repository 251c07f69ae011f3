package served

import (
	"fmt"
	"math"
	"path/filepath"
	"testing"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// Measure runs a benchmark for objects of 1 and 50 KB of each of the real
// CustomResourceDefinitions. Prepare makes of a schema and an object what is
// measured.
//
// It reports what that costs as a share of a deep copy of the object in the same
// run: the fastest of several rounds, for other work on a machine only ever adds.
func Measure(b *testing.B, prepare func(b *testing.B, p *apiextensionsv1.JSONSchemaProps, obj map[string]any) (do func(obj map[string]any), prepared map[string]any)) {
	for _, file := range Definitions(b) {
		p := Stored(b, file)
		for _, size := range []int{1 << 10, 50 << 10} {
			do, obj := prepare(b, p, sized(b, p, size))
			name := filepath.Base(file)
			b.Run(fmt.Sprintf("%s/%dKB", name[:len(name)-len(".yaml")], size>>10), func(b *testing.B) {
				b.ReportAllocs()
				measure(b, do, obj)
			})
		}
	}
}

const (
	rounds = 12
	// slice is how long a round lasts: long enough for what copies allocate to be
	// collected several times in it, which is part of what they cost.
	slice = 20 * time.Millisecond
	// batch is how many calls are made between two looks at the clock.
	batch = 16
)

func measure(b *testing.B, do func(obj map[string]any), obj map[string]any) {
	for b.Loop() {
		do(obj)
	}
	done, copied := math.Inf(1), math.Inf(1)
	for range rounds {
		copied = min(copied, round(func() { runtime.DeepCopyJSON(obj) }))
		done = min(done, round(func() { do(obj) }))
	}
	b.ReportMetric(done/copied, "of-a-deep-copy")
}

// round makes calls for a slice of time and gives the nanoseconds of one on average.
func round(do func()) float64 {
	calls, start := 0, time.Now()
	for {
		for range batch {
			do()
		}
		calls += batch
		if took := time.Since(start); took >= slice {
			return float64(took.Nanoseconds()) / float64(calls)
		}
	}
}

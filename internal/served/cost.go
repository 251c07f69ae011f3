package served

import (
	"fmt"
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
// run: the fastest of many turns, for other work on a machine only ever adds.
func Measure(b *testing.B, prepare func(b *testing.B, p *apiextensionsv1.JSONSchemaProps, obj map[string]any) (do func(obj map[string]any), prepared map[string]any)) {
	for _, file := range Definitions(b) {
		p := Stored(b, file)
		for _, size := range []int{1 << 10, 50 << 10} {
			do, obj := prepare(b, p, Sized(b, p, size))
			name := filepath.Base(file)
			b.Run(fmt.Sprintf("%s/%dKB", name[:len(name)-len(".yaml")], size>>10), func(b *testing.B) {
				b.ReportAllocs()
				measure(b, do, obj)
			})
		}
	}
}

// turn is how many calls are timed at once: a clock costs as much as a small call.
const turn = 64

func measure(b *testing.B, do func(obj map[string]any), obj map[string]any) {
	var done, copied time.Duration
	fastest := func(of time.Duration, start time.Time) time.Duration {
		if took := time.Since(start); of == 0 || took < of {
			return took
		}
		return of
	}
	for calls := 0; b.Loop(); {
		do(obj)
		if calls++; calls%turn != 0 {
			continue
		}
		b.StopTimer()
		start := time.Now()
		for range turn {
			runtime.DeepCopyJSON(obj)
		}
		copied = fastest(copied, start)
		start = time.Now()
		for range turn {
			do(obj)
		}
		done = fastest(done, start)
		b.StartTimer()
	}
	if copied > 0 {
		b.ReportMetric(float64(done)/float64(copied), "of-a-deep-copy")
	}
}

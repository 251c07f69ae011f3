package shadow

import (
	"math/rand/v2"
	"sync/atomic"
	"time"

	"github.com/diffrun/diffrun/metrics"
)

// advance is how much time comparisons of refused requests may take before the hand-written
// code has earned it.
const advance = time.Second

// cost decides which requests are compared, so that comparisons keep within a share of the
// time of the hand-written code.
type cost struct {
	sample, overhead float64
	// earned is what comparisons may still take, in nanoseconds. What one takes is known
	// only afterwards, so that it falls below nought, and must be earned again.
	earned atomic.Int64
}

// turn says whether a request is compared, whose hand-written code took some time.
func (c *cost) turn(native time.Duration, refused bool) (metrics.SkipReason, bool) {
	if c.overhead > 0 {
		c.earn(time.Duration(float64(native) * c.overhead))
	}
	if c.sample < 1 && rand.Float64() >= c.sample {
		return metrics.SkippedBySample, false
	}
	if c.overhead == 0 {
		return "", true
	}
	least := time.Duration(0)
	if refused {
		least = -advance
	}
	if time.Duration(c.earned.Load()) < least {
		return metrics.SkippedByOverhead, false
	}
	return "", true
}

// earn adds time that comparisons may take. It is not saved up beyond the advance: after a
// quiet hour a burst of comparisons is of no use.
func (c *cost) earn(share time.Duration) {
	if earned := c.earned.Add(int64(share)); earned > int64(advance) {
		c.earned.CompareAndSwap(earned, int64(advance))
	}
}

// spend takes the time of a comparison.
func (c *cost) spend(took time.Duration) {
	if c.overhead > 0 {
		c.earned.Add(-int64(took))
	}
}

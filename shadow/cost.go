package shadow

import (
	"math/rand/v2"
	"sync/atomic"
	"time"

	"github.com/diffrun/diffrun/harness/words"
)

// advance is the time that comparisons of refused requests may take before the hand-written code has
// earned it.
const advance = time.Second

// cost decides which requests are compared, so that comparisons take at most a share of the time of the
// hand-written code.
type cost struct {
	sample, overhead float64
	// earned is the time that comparisons may still take, in nanoseconds. The time of a comparison is known
	// only afterwards, so earned may fall below zero and must be earned again.
	earned atomic.Int64
}

// turn reports whether to compare a request, given the time of its hand-written code, or the reason not
// to.
func (c *cost) turn(native time.Duration, refused bool) (words.SkipReason, bool) {
	if c.overhead > 0 {
		c.earn(time.Duration(float64(native) * c.overhead))
	}
	if c.sample < 1 && rand.Float64() >= c.sample {
		return words.SkippedBySample, false
	}
	if c.overhead == 0 {
		return "", true
	}
	least := time.Duration(0)
	if refused {
		least = -advance
	}
	if time.Duration(c.earned.Load()) < least {
		return words.SkippedByOverhead, false
	}
	return "", true
}

// earn adds time that comparisons may take. It saves no more than the advance: a burst of comparisons after
// a quiet hour would be of no use.
func (c *cost) earn(share time.Duration) {
	if earned := c.earned.Add(int64(share)); earned > int64(advance) {
		c.earned.CompareAndSwap(earned, int64(advance))
	}
}

// spend subtracts the time of a comparison.
func (c *cost) spend(took time.Duration) {
	if c.overhead > 0 {
		c.earned.Add(-int64(took))
	}
}

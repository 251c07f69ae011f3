package infer

import (
	"context"
	"time"
)

// clock divides the time of a run.
type clock struct {
	ctx             context.Context
	began, deadline time.Time
	// share is the part of the time that the stages divide.
	share  float64
	cancel []context.CancelFunc
}

// newClock returns the clock of a run that begins now. A deadline of zero means that the time is not bounded.
func newClock(ctx context.Context, deadline time.Time) *clock {
	return &clock{ctx: ctx, began: time.Now(), deadline: deadline, share: 1}
}

// until returns a context that ends after a share of the time.
func (c *clock) until(share float64) context.Context {
	if c.deadline.IsZero() {
		return c.ctx
	}
	ctx, cancel := context.WithDeadline(c.ctx, c.at(share))
	c.cancel = append(c.cancel, cancel)
	return ctx
}

// at returns the time after a share.
func (c *clock) at(share float64) time.Time {
	return c.began.Add(time.Duration(share * c.share * float64(c.deadline.Sub(c.began))))
}

// reached reports whether a share of the time is over.
func (c *clock) reached(share float64) bool {
	return !c.deadline.IsZero() && !time.Now().Before(c.at(share))
}

// over reports whether the time is over.
func (c *clock) over() bool { return !c.deadline.IsZero() && !time.Now().Before(c.deadline) }

func (c *clock) stop() {
	for _, cancel := range c.cancel {
		cancel()
	}
}

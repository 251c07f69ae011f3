package contract

import (
	"context"
	"sync"
	"time"
)

// The times that backends have unless options say more.
const (
	// DefaultTimeout is how long a backend may take for one input.
	DefaultTimeout = 10 * time.Second
	// DefaultStartTimeout is how long a program may take from its first start, or the begin of its build, to its first
	// answer.
	DefaultStartTimeout = 5 * time.Minute
)

// StartUp stops the time-out of a case while a program starts that is to answer it, and returns a function that
// starts the time-out anew. The time between does not count as time of the case. ctx is that of
// Backend.Validate; with any other context, StartUp does nothing. The Backend limits the time itself.
func StartUp(ctx context.Context) (ready func()) {
	limit, ok := ctx.Value(limitKey{}).(*limit)
	if !ok {
		return func() {}
	}
	limit.pause()
	return sync.OnceFunc(limit.resume)
}

type limitKey struct{}

// limit is a context that ends after a time-out, which StartUp stops.
type limit struct {
	context.Context // of the caller
	timeout         time.Duration
	done            chan struct{}

	mu       sync.Mutex
	err      error
	timer    *time.Timer
	deadline time.Time // zero while programs start
	starting int       // calls of StartUp that are not ready
	since    time.Time // when the first of them began
	startUp  time.Duration
}

// Limited returns a context that ends after a time-out, and the time for which StartUp stopped the time-out.
func Limited(ctx context.Context, timeout time.Duration) (limited context.Context, cancel func(), spent func() time.Duration) {
	l := &limit{Context: ctx, timeout: timeout, done: make(chan struct{}), deadline: time.Now().Add(timeout)}
	l.mu.Lock() // the timer may fire at once
	l.timer = time.AfterFunc(timeout, func() { l.expire() })
	l.mu.Unlock()
	stop := context.AfterFunc(ctx, func() { l.end(ctx.Err()) })
	return l, func() {
		stop()
		l.end(context.Canceled)
	}, l.spent
}

func (l *limit) end(err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.err == nil {
		l.err = err
		l.timer.Stop()
		close(l.done)
	}
}

// expire ends the context unless its deadline was moved after the timer fired.
func (l *limit) expire() {
	l.mu.Lock()
	moved := l.starting > 0 || time.Now().Before(l.deadline)
	l.mu.Unlock()
	if !moved {
		l.end(context.DeadlineExceeded)
	}
}

func (l *limit) pause() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.starting++; l.starting == 1 {
		l.timer.Stop()
		l.deadline, l.since = time.Time{}, time.Now()
	}
}

func (l *limit) resume() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.starting--; l.starting > 0 {
		return
	}
	l.startUp += time.Since(l.since)
	if l.err == nil {
		l.deadline = time.Now().Add(l.timeout)
		l.timer.Reset(l.timeout)
	}
}

// spent returns the time for which StartUp stopped the time-out.
func (l *limit) spent() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.starting > 0 {
		return l.startUp + time.Since(l.since)
	}
	return l.startUp
}

// Deadline implements context.Context.
func (l *limit) Deadline() (time.Time, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	earlier, set := l.Context.Deadline()
	if l.deadline.IsZero() || set && earlier.Before(l.deadline) {
		return earlier, set
	}
	return l.deadline, true
}

// Done implements context.Context.
func (l *limit) Done() <-chan struct{} { return l.done }

// Err implements context.Context.
func (l *limit) Err() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.err
}

// Value implements context.Context.
func (l *limit) Value(key any) any {
	if key == (limitKey{}) {
		return l
	}
	return l.Context.Value(key)
}

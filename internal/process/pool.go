package process

import (
	"context"
	"errors"
	"sync"
	"time"
)

// Member is a child of a pool.
type Member interface {
	// Ready reports whether an idle child can be asked again.
	Ready() bool
	// Finish lets an idle child exit by itself.
	Finish()
	// Kill ends a child at once.
	Kill()
}

// Pool asks children of one program, each one question at a time.
type Pool[M Member] struct {
	start  func(context.Context) (M, error)
	places chan struct{} // has an element for each question in flight
	ctx    context.Context
	// Close ends all children: busy ones at once, idle ones by closing their stdin.
	Close func()

	mu        sync.Mutex
	idle      []M
	failures  int       // children that failed in a row
	notBefore time.Time // when the next child may start
}

// ErrStale is the error of an answer to an earlier question: the question is asked again, to a different child.
var ErrStale = errors.New("it answered the question before once more")

// NewPool returns a pool of children that start as they are needed, at most so many at once. closed is the error of
// questions after Close.
func NewPool[M Member](most int, closed error, start func(context.Context) (M, error)) *Pool[M] {
	ctx, cancel := context.WithCancelCause(context.Background())
	p := &Pool[M]{start: start, places: make(chan struct{}, most), ctx: ctx}
	p.Close = sync.OnceFunc(func() {
		cancel(closed)
		for range most { // waits for the questions in flight, and leaves no place for later ones
			p.places <- struct{}{}
		}
		var ending sync.WaitGroup
		for _, child := range p.idle {
			ending.Go(child.Finish)
		}
		ending.Wait()
	})
	return p
}

// Enter waits for a place for a question. The context that it returns ends with the pool. Call leave after the last
// Ask of the question.
func (p *Pool[M]) Enter(ctx context.Context) (inPool context.Context, leave func(), err error) {
	inPool, cancel := context.WithCancelCause(ctx)
	stop := context.AfterFunc(p.ctx, func() { cancel(context.Cause(p.ctx)) })
	select {
	case p.places <- struct{}{}:
		return inPool, func() { <-p.places; stop(); cancel(nil) }, nil
	case <-inPool.Done():
		stop()
		return nil, nil, context.Cause(inPool)
	}
}

// Ask lets a function ask an idle child, or a new one. If the function fails, the child is ended and returned with the
// error; without a child, none could start.
func (p *Pool[M]) Ask(ctx context.Context, ask func(M) error) (failed M, err error) {
	for {
		child, err := p.take(ctx)
		if err != nil {
			return failed, err
		}
		err = ask(child)
		if err == nil {
			p.putBack(child)
			return failed, nil
		}
		p.drop(child)
		if !errors.Is(err, ErrStale) {
			return child, err
		}
	}
}

// take returns a live child. A child that ended while idle is replaced without losing a question.
func (p *Pool[M]) take(ctx context.Context) (child M, err error) {
	for {
		p.mu.Lock()
		if len(p.idle) == 0 {
			wait := time.Until(p.notBefore)
			p.mu.Unlock()
			if err := Sleep(ctx, wait); err != nil {
				return child, err
			}
			return p.start(ctx)
		}
		last := p.idle[len(p.idle)-1]
		p.idle = p.idle[:len(p.idle)-1]
		p.mu.Unlock()
		if last.Ready() {
			return last, nil
		}
		last.Kill()
	}
}

// Sleep waits, and returns the cause if the context ends before.
func Sleep(ctx context.Context, wait time.Duration) error {
	if err := ctx.Err(); err != nil {
		return context.Cause(ctx)
	}
	if wait <= 0 {
		return nil
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// putBack makes a child that answered available for the next question.
func (p *Pool[M]) putBack(child M) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.failures, p.notBefore = 0, time.Time{}
	p.idle = append(p.idle, child)
}

// maxBackoff is the longest pause between a failure and the next start, so that a run whose cases
// all fail ends soon.
const maxBackoff = 500 * time.Millisecond

// drop ends a child that failed. The first one is replaced at once; repeated failures cause a
// backoff.
func (p *Pool[M]) drop(child M) {
	child.Kill()
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failures > 0 {
		backoff := min(maxBackoff, 25*time.Millisecond<<min(p.failures, 10))
		p.notBefore = time.Now().Add(backoff)
	}
	p.failures++
}

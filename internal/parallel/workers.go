package parallel

import "context"

// WithWorkers returns a context for many calls of Go, which use the same goroutines. A new goroutine for each
// call has to grow its stack each time, which takes longer than most validations. stop ends the goroutines
// when they have no work; a later call has a goroutine of its own.
func WithWorkers(ctx context.Context) (with context.Context, stop func()) {
	w := &workers{make(chan func()), make(chan struct{})}
	return context.WithValue(ctx, workersKey{}, w), func() { close(w.stopped) }
}

type workersKey struct{}

// workers are goroutines that wait for more work when they have done some.
type workers struct {
	todo    chan func()
	stopped chan struct{}
}

// Go does work in a goroutine that has nothing else to do, if the context has workers, or in a new one.
func Go(ctx context.Context, work func()) {
	w, has := ctx.Value(workersKey{}).(*workers)
	if !has {
		go work()
		return
	}
	select {
	case w.todo <- work:
	default:
		go w.work(work)
	}
}

// work does some work, and more until the workers are stopped.
func (w *workers) work(work func()) {
	for {
		work()
		select {
		case work = <-w.todo:
		case <-w.stopped:
			return
		}
	}
}

package validate

import (
	"context"
	"iter"
	"runtime"
)

// taskQueue works on items in parallel and hands on what comes out in the order
// of the items. It holds a few items for each worker, however many there are.
type taskQueue[In, Out any] struct {
	parallel int // 0: one for each core
	work     func(context.Context, In) Out
	// take is called with one result at a time.
	take func(Out) error
	// idle is called before a wait for the next result: whoever wrote the item
	// may wait for the answer before writing another.
	idle func() error
}

// task is an item on its way, or the error that ended them.
type task[In, Out any] struct {
	item In
	err  error
	done chan Out
}

// run ends with the items, their error, that of take or idle, or ctx, whose
// cause it then gives. It does not wait for an item that is being read: a read
// from a terminal or a pipe cannot be broken off.
func (q *taskQueue[In, Out]) run(ctx context.Context, items iter.Seq2[In, error]) error {
	parallel := q.parallel
	if parallel <= 0 {
		parallel = runtime.GOMAXPROCS(0)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	inOrder := make(chan task[In, Out], 2*parallel)
	todo := make(chan task[In, Out])
	go feedTasks(ctx, items, inOrder, todo)
	for range parallel {
		go func() {
			for next := range todo {
				next.done <- q.work(ctx, next.item)
			}
		}()
	}
	return q.drain(ctx, inOrder)
}

func feedTasks[In, Out any](ctx context.Context, items iter.Seq2[In, error], inOrder, todo chan<- task[In, Out]) {
	defer close(inOrder)
	defer close(todo)
	for item, err := range items {
		next := task[In, Out]{item: item, err: err, done: make(chan Out, 1)}
		select {
		case inOrder <- next:
		case <-ctx.Done():
			return
		}
		if err != nil {
			return
		}
		select {
		case todo <- next:
		case <-ctx.Done():
			return
		}
	}
}

func (q *taskQueue[In, Out]) drain(ctx context.Context, inOrder <-chan task[In, Out]) error {
	for {
		next, open, err := wait(ctx, inOrder, q.idle)
		if err != nil || !open {
			return err
		}
		if next.err != nil {
			return next.err
		}
		out, _, err := wait(ctx, next.done, q.idle)
		if err != nil {
			return err
		}
		if ctx.Err() != nil {
			return context.Cause(ctx) // what came out may have been cut short
		}
		if err := q.take(out); err != nil {
			return err
		}
	}
}

// wait receives from a channel, and calls idle when there is nothing yet.
func wait[Value any](ctx context.Context, from <-chan Value, idle func() error) (value Value, open bool, err error) {
	select {
	case value, open = <-from:
		return value, open, nil
	default:
	}
	if err := idle(); err != nil {
		return value, false, err
	}
	select {
	case value, open = <-from:
		return value, open, nil
	case <-ctx.Done():
		return value, false, context.Cause(ctx)
	}
}

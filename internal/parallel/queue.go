package parallel

import (
	"context"
	"iter"
	"runtime"
	"sync"
)

// Queue processes items.
type Queue[In, Out any] struct {
	// Parallel is the number of items that are processed at once. The default is the number of
	// cores.
	Parallel int
	// Do processes an item. An error ends the run after the results before it are taken.
	Do func(context.Context, In) (Out, error)
	// Take receives one result at a time. An error ends the run.
	Take func(Out) error
	// Idle is called before Run waits for the next result, because the writer of the items may
	// wait for an answer before it writes the next item. An error ends the run. Optional.
	Idle func() error
	// Abandon is true if Run does not wait for an item that is being read, because reading from a
	// terminal or a pipe cannot be interrupted.
	Abandon bool
}

// task is an item in progress, or the error that ended the items.
type task[In, Out any] struct {
	item In
	err  error
	done chan result[Out]
}

type result[Out any] struct {
	out Out
	err error
}

// Run processes items until they end. It returns an error of the items, Do, Take or Idle, or the cause of ctx.
// The results of all items before the first unfinished one were then taken. No call of Do is running when
// Run returns.
func (q Queue[In, Out]) Run(ctx context.Context, items iter.Seq2[In, error]) error {
	parallel := q.Parallel
	if parallel <= 0 {
		parallel = runtime.GOMAXPROCS(0)
	}
	ctx, cancel := context.WithCancel(ctx)
	inOrder := make(chan task[In, Out], 2*parallel)
	todo := make(chan task[In, Out])
	var reader, workers sync.WaitGroup
	var unread error // why not all items were read
	reader.Go(func() {
		defer close(todo)
		defer close(inOrder)
		unread = feed(ctx, items, inOrder, todo)
	})
	for range parallel {
		workers.Go(func() { q.work(ctx, todo) })
	}
	open, err := q.drain(ctx, inOrder)
	if !open {
		err = unread
	}
	cancel()
	workers.Wait()
	if !q.Abandon {
		reader.Wait()
	}
	return err
}

// feed queues each item in order and passes it to a worker. It returns the cause of ctx if that ends before the
// items.
func feed[In, Out any](ctx context.Context, items iter.Seq2[In, error], inOrder, todo chan<- task[In, Out]) error {
	for item, err := range items {
		next := task[In, Out]{item: item, err: err, done: make(chan result[Out], 1)}
		select {
		case inOrder <- next:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
		if err != nil {
			return nil // it is in the queue
		}
		select {
		case todo <- next:
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

func (q Queue[In, Out]) work(ctx context.Context, todo <-chan task[In, Out]) {
	for {
		select {
		case next, open := <-todo:
			if !open {
				return
			}
			out, err := q.Do(ctx, next.item)
			next.done <- result[Out]{out, err}
		case <-ctx.Done():
			return
		}
	}
}

// drain takes the results in order. open is false after the last one.
func (q Queue[In, Out]) drain(ctx context.Context, inOrder <-chan task[In, Out]) (open bool, err error) {
	for {
		next, open, err := wait(ctx, inOrder, q.Idle)
		if err != nil {
			return true, err
		}
		if !open {
			return false, nil
		}
		if next.err != nil {
			return true, next.err
		}
		made, _, err := wait(ctx, next.done, q.Idle)
		if err == nil {
			err = made.err
		}
		if err == nil {
			err = q.Take(made.out)
		}
		if err != nil {
			return true, err
		}
	}
}

// wait receives from a channel. It calls idle if there is nothing yet.
func wait[Value any](ctx context.Context, from <-chan Value, idle func() error) (value Value, open bool, err error) {
	select {
	case value, open = <-from:
		return value, open, nil
	default:
	}
	if idle != nil {
		if err := idle(); err != nil {
			return value, false, err
		}
	}
	select {
	case value, open = <-from:
		return value, open, nil
	case <-ctx.Done():
		return value, false, context.Cause(ctx)
	}
}

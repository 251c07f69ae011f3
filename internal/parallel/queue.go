package parallel

import (
	"context"
	"iter"
	"runtime"
	"sync"
)

// Queue says how items are worked on.
type Queue[In, Out any] struct {
	// Parallel is how many items are worked on at once; 0: one for each core.
	Parallel int
	// Do works on an item. An error ends the run once the results before it are taken.
	Do func(context.Context, In) (Out, error)
	// Take gets one result at a time. An error ends the run.
	Take func(Out) error
	// Idle, if not nil, is called before a wait for the next result: the writer of the items
	// may wait for an answer before it writes another. An error ends the run.
	Idle func() error
	// Abandon: Run does not wait for an item that is being read, because a read from a
	// terminal or a pipe cannot be broken off.
	Abandon bool
}

// task is an item on its way, or the error that ended the items.
type task[In, Out any] struct {
	item In
	err  error
	done chan result[Out]
}

type result[Out any] struct {
	out Out
	err error
}

// Run works on items until they end. It returns the error of the items, of Do, of Take or of
// Idle, or the cause of ctx when that ends: then the results of all items before the first
// unfinished one were taken. No call of Do is at work when Run returns.
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

// feed queues each item in order and then gives it to a worker. The error is the cause of
// ctx when that ends before the items.
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

// drain takes the results in order. open is false when there are no more.
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

// wait receives from a channel. It calls idle when there is nothing yet.
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

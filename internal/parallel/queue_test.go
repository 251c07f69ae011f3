package parallel_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	ordered "github.com/diffrun/diffrun/internal/parallel"
)

var errFailed = errors.New("failed")

// numbers yields numbers from zero on, and then an error if there is one.
func numbers(n int, err error) iter.Seq2[int, error] {
	return func(yield func(int, error) bool) {
		for i := range n {
			if !yield(i, nil) {
				return
			}
		}
		if err != nil {
			yield(0, err)
		}
	}
}

// same returns an item unchanged; the first of several takes the longest.
func same(_ context.Context, i int) (int, error) {
	time.Sleep(time.Duration(8-i%8) * time.Millisecond)
	return i, nil
}

func TestQueue(t *testing.T) {
	for _, tt := range []struct {
		why   string
		items iter.Seq2[int, error]
		do    func(int) error
		take  func(int) error
		idle  func() error
		want  string
	}{
		{why: "results come in the order of the items, whenever they are ready", items: numbers(8, nil), want: "01234567 <nil>"},
		{why: "no items", items: numbers(0, nil), want: " <nil>"},
		{why: "an error of the items ends the run after the items before it", items: numbers(3, errFailed), want: "012 failed"},
		{why: "an error of the work ends the run after the results before it", items: numbers(9, nil), want: "0123 failed",
			do: func(i int) error {
				if i == 4 {
					return errFailed
				}
				return nil
			}},
		{why: "an error of taking ends the run at once", items: numbers(1000, nil), want: "012 failed", take: func(i int) error {
			if i == 2 {
				return errFailed
			}
			return nil
		}},
		{why: "an error of being idle ends the run at once", items: numbers(1000, nil), want: " failed",
			idle: func() error { return errFailed }},
	} {
		var got strings.Builder
		queue := ordered.Queue[int, int]{
			Parallel: 4,
			Do: func(ctx context.Context, i int) (int, error) {
				if tt.do != nil {
					if err := tt.do(i); err != nil {
						return 0, err
					}
				}
				return same(ctx, i)
			},
			Take: func(i int) error {
				fmt.Fprint(&got, i)
				if tt.take != nil {
					return tt.take(i)
				}
				return nil
			},
			Idle: tt.idle,
		}
		fmt.Fprint(&got, " ", queue.Run(t.Context(), tt.items))
		if got.String() != tt.want {
			t.Errorf("%s: got %q, want %q", tt.why, got.String(), tt.want)
		}
	}
}

// A run holds a few items for each worker, and has finished all of them when it returns.
func TestQueueHoldsFew(t *testing.T) {
	const parallel, items = 4, 400
	var read, atWork atomic.Int64
	taken, most := int64(0), int64(0)
	queue := ordered.Queue[int, int]{
		Parallel: parallel,
		Do: func(ctx context.Context, i int) (int, error) {
			defer atWork.Add(-1)
			if n := atWork.Add(1); n > parallel {
				t.Errorf("%d items are worked on at once", n)
			}
			return i, nil
		},
		Take: func(int) error {
			taken++
			most = max(most, read.Load()-taken)
			if taken == items/2 {
				return errFailed
			}
			return nil
		},
	}
	err := queue.Run(t.Context(), func(yield func(int, error) bool) {
		for i := range items {
			if read.Add(1); !yield(i, nil) {
				return
			}
		}
	})
	if !errors.Is(err, errFailed) || atWork.Load() != 0 {
		t.Errorf("got %v, with %d items at work", err, atWork.Load())
	}
	if most > 4*parallel {
		t.Errorf("%d items were held at once: memory grows with the items", most)
	}
}

// An interrupt ends a run whose reader waits for input, after the results before the first interrupted item.
func TestQueueInterrupted(t *testing.T) {
	interrupted := errors.New("interrupted")
	never := make(chan int)
	defer close(never)
	for _, abandon := range []bool{true, false} {
		ctx, cancel := context.WithCancelCause(t.Context())
		var got strings.Builder
		queue := ordered.Queue[int, int]{
			Parallel: 1,
			Do: func(ctx context.Context, i int) (int, error) {
				if i == 1 {
					cancel(interrupted)
				}
				return i, context.Cause(ctx)
			},
			Take:    func(i int) error { _, err := fmt.Fprint(&got, i); return err },
			Abandon: abandon,
		}
		ended := false
		err := queue.Run(ctx, func(yield func(int, error) bool) {
			_ = yield(0, nil) && yield(1, nil)
			if abandon {
				<-never // as a read from a terminal would
			}
			<-ctx.Done()
			ended = true
		})
		if !errors.Is(err, interrupted) || strings.Trim(got.String(), "0") != "" {
			t.Errorf("abandon %t: took %q, %v", abandon, got.String(), err)
		}
		if !abandon && !ended {
			t.Error("the reader was not waited for")
		}
	}
}

package validate

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestTaskQueue(t *testing.T) {
	failed := errors.New("failed")
	count := func(n int, err error) iter.Seq2[int, error] {
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
	for _, test := range []struct {
		why   string
		items iter.Seq2[int, error]
		take  func(int) error
		want  string
	}{
		{"results come in the order of the items, whenever they are ready", count(8, nil), func(int) error { return nil }, "01234567 <nil>"},
		{"an error of reading ends the run after what was read", count(3, failed), func(int) error { return nil }, "012 failed"},
		{"an error of writing ends the run at once", count(1000, nil), func(i int) error {
			if i == 2 {
				return failed
			}
			return nil
		}, "012 failed"},
	} {
		var got strings.Builder
		queue := taskQueue[int, int]{
			parallel: 4,
			work: func(_ context.Context, i int) int {
				time.Sleep(time.Duration(8-i%8) * time.Millisecond)
				return i
			},
			take: func(i int) error {
				fmt.Fprint(&got, i)
				return test.take(i)
			},
			idle: func() error { return nil },
		}
		err := queue.run(t.Context(), test.items)
		fmt.Fprint(&got, " ", err)
		if diff := cmp.Diff(test.want, got.String()); diff != "" {
			t.Errorf("%s: -want +got\n%s", test.why, diff)
		}
	}
}

// An interrupt ends a run that waits for input, and one whose work is cut short
// hands on nothing that is not finished.
func TestTaskQueueInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	queue := taskQueue[int, int]{
		work: func(ctx context.Context, i int) int {
			if i == 1 {
				cancel(errors.New("interrupted"))
			}
			return i
		},
		take: func(i int) error {
			if i > 0 {
				t.Errorf("took %d", i)
			}
			return nil
		},
		idle: func() error { return nil },
	}
	never := make(chan int)
	err := queue.run(ctx, func(yield func(int, error) bool) {
		_ = yield(0, nil) && yield(1, nil)
		<-never // as a read from a terminal
	})
	if err == nil || err.Error() != "interrupted" {
		t.Errorf("got %v", err)
	}
}

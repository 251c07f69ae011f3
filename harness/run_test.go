package harness_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
)

// jobs yields n cases and counts how many were taken.
func jobs(h *harness.Harness, n int, taken *atomic.Int64) iter.Seq2[harness.Job, error] {
	return func(yield func(harness.Job, error) bool) {
		for i := range n {
			taken.Add(1)
			if !yield(harness.Job{Harness: h, Case: harness.Case{ID: fmt.Sprint(i), Object: widget("a", int64(i))}}, nil) {
				return
			}
		}
	}
}

// dawdling answers after a random delay, so that cases overtake each other.
var dawdling = backend{"native", func(context.Context, *harness.Input) (field.ErrorList, error) {
	time.Sleep(time.Duration(rand.IntN(300)) * time.Microsecond)
	return nil, nil
}}

func TestRunKeepsTheOrderAndHoldsFew(t *testing.T) {
	const cases, parallel = 400, 8
	h := newHarness(t, dawdling, dawdling)
	var taken atomic.Int64
	seen, most := 0, int64(0)
	err := harness.Run(t.Context(), jobs(h, cases, &taken), harness.RunOptions{Parallel: parallel}, func(r harness.Result) error {
		if want := fmt.Sprint(seen / 2); r.Case.ID != want { // two versions each
			t.Fatalf("result %d is of case %s, want %s", seen, r.Case.ID, want)
		}
		most = max(most, taken.Load()-int64(seen/2))
		seen++
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen != 2*cases {
		t.Errorf("%d results, want %d", seen, 2*cases)
	}
	if limit := int64(4 * parallel); most > limit {
		t.Errorf("%d cases were held at once, want at most %d: memory grows with the cases", most, limit)
	}
}

func TestRunInterrupted(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	var taken atomic.Int64
	seen := 0
	err := harness.Run(ctx, jobs(newHarness(t, dawdling, dawdling), 1_000_000, &taken), harness.RunOptions{Parallel: 4},
		func(r harness.Result) error {
			if seen++; seen == 20 {
				interrupt()
			}
			if r.Verdict == words.Faulted {
				t.Errorf("case %s: a case that the interrupt cut short was reported", r.Case.ID)
			}
			return nil
		})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the context's error", err)
	}
	if seen < 20 {
		t.Errorf("%d results, want those that were finished before the interrupt", seen)
	}
}

func TestRunStops(t *testing.T) {
	h := newHarness(t, dawdling, dawdling)
	broken := errors.New("broken")
	t.Run("when the reporter cannot write", func(t *testing.T) {
		var taken atomic.Int64
		err := harness.Run(t.Context(), jobs(h, 1_000_000, &taken), harness.RunOptions{}, func(harness.Result) error { return broken })
		if !errors.Is(err, broken) {
			t.Errorf("got %v, want the reporter's error", err)
		}
	})
	t.Run("when the cases cannot be read any further", func(t *testing.T) {
		failing := func(yield func(harness.Job, error) bool) {
			_ = yield(harness.Job{Harness: h, Case: harness.Case{Object: widget("a", 3)}}, nil) && yield(harness.Job{}, broken)
		}
		err := harness.Run(t.Context(), failing, harness.RunOptions{}, func(harness.Result) error { return nil })
		if !errors.Is(err, broken) {
			t.Errorf("got %v, want the error of the cases", err)
		}
	})
}

package harness_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
)

// deaf is a scheme with a stage that never returns.
type deaf struct {
	harness.Documents
	stage string
}

func (d deaf) Decode(document map[string]any, version schema.GroupVersionKind) (any, error) {
	if d.stage == "decode" {
		select {}
	}
	return d.Documents.Decode(document, version)
}

func (d deaf) Default(ctx context.Context, request harness.Request, object, old any) (any, any, error) {
	if d.stage == "default" {
		select {}
	}
	return d.Documents.Default(ctx, request, object, old)
}

func (d deaf) Convert(object any, version schema.GroupVersionKind) (any, error) {
	switch d.stage {
	case "convert":
		select {}
	case "goexit":
		runtime.Goexit() // as FailNow does in a test helper
	}
	return d.Documents.Convert(object, version)
}

func checkDeaf(t *testing.T, ctx context.Context, stage string, timeout time.Duration) ([]harness.Result, error) {
	t.Helper()
	h, err := harness.New(&harness.Target{
		Kind: widgetV1.GroupKind(), Scheme: deaf{stage: stage},
		Versions: []harness.Version{{GroupVersionKind: widgetV1, Native: says(nil), Declarative: says(nil)}},
	}, harness.Options{Timeout: timeout})
	if err != nil {
		t.Fatal(err)
	}
	return h.Check(ctx, harness.Case{Object: widget("a", 1)})
}

// A scheme that hangs is a fault of its case, as a backend is.
func TestSchemeThatHangs(t *testing.T) {
	for stage, want := range map[string]string{
		"decode":  "timeout: the objects were not decoded and defaulted within 50ms",
		"default": "timeout: the objects were not decoded and defaulted within 50ms",
		"convert": "timeout: the objects were not converted within 50ms",
		"goexit":  "it ended its goroutine without an answer",
	} {
		results, err := checkDeaf(t, t.Context(), stage, 50*time.Millisecond)
		if err != nil {
			t.Fatal(err)
		}
		if fault := results[0].Fault; fault == nil || !strings.HasPrefix(fault.Error(), want) || results[0].Verdict != words.Faulted {
			t.Errorf("%s: fault %v, verdict %s; want %q", stage, fault, results[0].Verdict, want)
		}
	}
}

// An interrupt does not wait for it either.
func TestInterruptOfASchemeThatHangs(t *testing.T) {
	ctx, interrupt := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, interrupt)
	began := time.Now()
	if _, err := checkDeaf(t, ctx, "decode", time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want the context's error", err)
	}
	if took := time.Since(began); took > time.Minute {
		t.Errorf("the interrupt took %v", took)
	}
}

// Output of a backend at its timeout is part of the fault: a child process writes to stderr what it is
// waiting for.
func TestLastWords(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		waits := backend{"native", func(ctx context.Context, _ *harness.Input) (field.ErrorList, error) {
			<-ctx.Done()
			time.Sleep(20 * time.Millisecond) // ending a child takes a while
			return nil, fmt.Errorf("it did not answer: %w; on stderr:\n\twaiting for a lock", ctx.Err())
		}}
		h, err := harness.New(&harness.Target{
			Kind: widgetV1.GroupKind(), Scheme: harness.Documents{},
			Versions: []harness.Version{{GroupVersionKind: widgetV1, Native: waits, Declarative: says(nil)}},
		}, harness.Options{Timeout: 50 * time.Millisecond})
		if err != nil {
			t.Fatal(err)
		}
		results, err := h.Check(t.Context(), harness.Case{Object: widget("a", 1)})
		if err != nil {
			t.Fatal(err)
		}
		fault := results[0].Native.Fault
		const want = "timeout: the native backend did not answer within 50ms; a slow validator needs a longer --timeout: " +
			"it did not answer; on stderr:\n\twaiting for a lock"
		if fault == nil || fault.Reason != words.FaultTimeout || !errors.Is(fault, context.DeadlineExceeded) || fault.Error() != want {
			t.Errorf("fault %v\nwant  %s", fault, want)
		}
	})
}

// TestAskAgain asks a backend that is late once, and one that is always late.
func TestAskAgain(t *testing.T) {
	for _, row := range []struct {
		why   string
		late  int // how often it does not answer
		fault bool
		asked int
	}{
		{"in time: asked once", 0, false, 1},
		{"late once: the second answer counts", 1, false, 2},
		{"late twice: a fault, because a validator may hang on this input", 2, true, 2},
	} {
		synctest.Test(t, func(t *testing.T) {
			asked, told := 0, 0
			backend := backend{"native", func(ctx context.Context, _ *harness.Input) (field.ErrorList, error) {
				if asked++; asked > row.late {
					return field.ErrorList{field.Required(field.NewPath("spec"), "")}, nil
				}
				<-ctx.Done()
				return nil, ctx.Err()
			}}
			h, err := harness.New(&harness.Target{
				Kind: widgetV1.GroupKind(), Scheme: harness.Documents{},
				Versions: []harness.Version{{GroupVersionKind: widgetV1, Native: backend, Declarative: says(nil)}},
			}, harness.Options{Timeout: time.Second, AskAgain: func(_ *harness.Input, late *contract.Fault) {
				if told++; late.Reason != words.FaultTimeout {
					t.Errorf("%s: told of %v", row.why, late)
				}
			}})
			if err != nil {
				t.Fatal(err)
			}
			results, err := h.Check(t.Context(), harness.Case{Object: widget("a", 1)})
			if err != nil {
				t.Fatal(err)
			}
			answer := results[0].Native
			if (answer.Fault != nil) != row.fault || asked != row.asked || told != min(row.late, 1) || !row.fault &&
				len(answer.Errors) != 1 {
				t.Errorf("%s: asked %d times, told %d times, errors %v, fault %v", row.why, asked, told, answer.Errors, answer.Fault)
			}
		})
	}
}

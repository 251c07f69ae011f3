package reports_test

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/reports"
)

func TestUnknownFormatNamesTheKnownOnes(t *testing.T) {
	_, err := reports.New("yaml", io.Discard, reports.Options{})
	want := `unknown report format "yaml"; accepted: ` + strings.Join(reports.Formats(), ", ")
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestReportersDoNotChangeResults(t *testing.T) {
	for _, format := range reports.Formats() {
		reported, untouched := recordedRun(), recordedRun()
		reporter, err := reports.New(format, io.Discard, reports.Options{Verbose: true})
		if err != nil {
			t.Fatal(err)
		}
		reported.play(t, reporter)
		// Functions, NaN, cycles and errors cannot be compared; values that contain them can.
		ignored := cmpopts.IgnoreFields(field.Error{}, "BadValue")
		faults := cmp.Comparer(func(a, b *contract.Fault) bool { return reflect.DeepEqual(a, b) })
		unexported := cmpopts.IgnoreUnexported(equivalence.Rule{}, equivalence.Exception{}, harness.Outcome{}, harness.Case{})
		if diff := cmp.Diff(untouched.results, reported.results, ignored, faults, unexported,
			cmpopts.IgnoreFields(harness.Case{}, "Object", "Old")); diff != "" {
			t.Errorf("%s changed what it reported (-before +after):\n%s", format, diff)
		}
	}
}

// full is a disk with no room left.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left on device") }

func TestErrorsOfTheWriterGetOut(t *testing.T) {
	for _, format := range reports.Formats() {
		reporter, err := reports.New(format, full{}, reports.Options{})
		if err != nil {
			t.Fatal(err)
		}
		errs := []error{reporter.Begin(reports.Header{})}
		for _, result := range recordedRun().results {
			errs = append(errs, reporter.Result(result))
		}
		errs = append(errs, reporter.End(reports.Footer{}))
		if err := errors.Join(errs...); err == nil || !strings.Contains(err.Error(), "no space left on device") {
			t.Errorf("%s lost the error of its writer: %v", format, err)
		}
		if errs[len(errs)-1] == nil {
			t.Errorf("%s ended well on a full disk", format)
		}
	}
}

// Each write is a whole line, so that a progress bar can share the terminal.
func TestTextIsWrittenInWholeLines(t *testing.T) {
	var writes chunks
	reporter, _ := reports.New("text", &writes, reports.Options{Color: true, Verbose: true})
	recordedRun().play(t, reporter)
	if len(writes) < 5 {
		t.Fatalf("%d writes: the text does not stream", len(writes))
	}
	for _, chunk := range writes {
		if !strings.HasSuffix(chunk, "\n") {
			t.Errorf("a write ends within a line: %q", chunk)
		}
	}
}

type chunks []string

func (c *chunks) Write(p []byte) (int, error) {
	*c = append(*c, string(p))
	return len(p), nil
}

// The memory of a reporter must not grow with the number of results. JSON, which is one document, is the
// likely exception.
func TestReportersHoldNoResults(t *testing.T) {
	for _, format := range reports.Formats() {
		reporter, _ := reports.New(format, io.Discard, reports.Options{Verbose: true})
		if err := reporter.Begin(reports.Header{}); err != nil {
			t.Fatal(err)
		}
		report := func(n int) {
			for i := range n {
				c := &harness.Case{ID: fmt.Sprint(i), Object: map[string]any{}}
				native := invalid("spec.name", strings.Repeat("x", 10_000), "too long")
				if err := reporter.Result(paired(c, deployment, words.Different,
					equivalence.Pair{Native: native, Class: difference.TooLoose})); err != nil {
					t.Fatal(err)
				}
			}
		}
		report(100)
		before := heap()
		report(2_000)
		// Retained results would take 20 MB.
		if grown := heap() - before; grown > 2<<20 {
			t.Errorf("%s grew by %d bytes over 2,000 results", format, grown)
		}
		runtime.KeepAlive(reporter)
	}
}

// heap returns the memory in use after a collection.
func heap() int64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}

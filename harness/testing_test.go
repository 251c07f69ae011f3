package harness_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/diffrun/diffrun/harness"
)

// recorder is a testing.TB that keeps what it is told.
type recorder struct {
	testing.TB
	failed bool
	lines  []string
}

func (r *recorder) Helper()      {}
func (r *recorder) Name() string { return "TestRecorded" }
func (r *recorder) Logf(format string, args ...any) {
	r.lines = append(r.lines, fmt.Sprintf(format, args...))
}
func (r *recorder) Errorf(format string, args ...any) {
	r.failed = true
	r.Logf(format, args...)
}

func TestTest(t *testing.T) {
	for _, tc := range []struct {
		why    string
		bound  int64
		object map[string]any
		errors int
		failed bool
		says   string
	}{
		{why: "agreement passes and gives back the native errors", bound: 3, object: widget("a", 2), errors: 1, says: "example.com/v1beta1 Widget cannot express this case"},
		{why: "a difference fails and shows both sides", bound: 4, object: widget("a", 3), failed: true, says: "too-strict"},
		{why: "a fault fails", bound: 3, object: widget("native panics", 3), failed: true, says: "fault of the native backend: panic"},
		{
			why: "a case that no version can express compares nothing, and fails", bound: 3, failed: true,
			object: map[string]any{"apiVersion": "example.com/v2", "kind": "Widget", "size": int64(3)}, says: "no version of Widget.example.com can express this case: nothing was compared",
		},
	} {
		t.Run(tc.why, func(t *testing.T) {
			told := &recorder{TB: t}
			errs := newHarness(t, atLeast("native", 3), atLeast("declarative", tc.bound)).Test(told, harness.Case{Object: tc.object})
			if len(errs) != tc.errors {
				t.Errorf("gave back %v, want %d errors", errs, tc.errors)
			}
			text := strings.Join(told.lines, "\n")
			if told.failed != tc.failed || !strings.Contains(text, tc.says) {
				t.Errorf("failed: %v, want %v; told:\n%s", told.failed, tc.failed, text)
			}
		})
	}
}

package harness_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
)

// recorder is a testing.TB that records its messages.
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

// pruning is a scheme that drops the field "colour", as a custom resource drops undeclared fields.
type pruning struct{ harness.Documents }

type prunedObject struct{ object map[string]any }

func (pruning) Capabilities() contract.SchemeCapabilities {
	return contract.SchemeCapabilities{Omitted: func(any, schema.GroupVersionKind) []contract.Omission {
		return []contract.Omission{{Field: "colour", Why: words.Pruned}, {Field: "status", Why: words.Ignored}}
	}}
}

func (pruning) Default(_ context.Context, _ harness.Request, object, old any) (any, any, error) {
	delete(object.(map[string]any), "colour")
	return prunedObject{object.(map[string]any)}, old, nil
}

func (p pruning) Convert(object any, version schema.GroupVersionKind) (any, error) {
	return p.Documents.Convert(object.(prunedObject).object, version)
}

// A field that the schema does not declare is reported: a misspelt field proves nothing.
func TestTestOfPrunedFields(t *testing.T) {
	told := &recorder{TB: t}
	object := widget("a", 3)
	object["colour"] = "red"
	h, err := harness.New(&harness.Target{
		Kind: widgetV1.GroupKind(), Scheme: pruning{},
		Versions: []harness.Version{{GroupVersionKind: widgetV1, Native: atLeast("native", 3), Declarative: atLeast("declarative", 3)}},
	}, harness.Options{})
	if err != nil {
		t.Fatal(err)
	}
	h.Test(told, harness.Case{Object: object})
	want := []string{"example.com/v1 Widget has no field colour: it was pruned before validation"}
	if !slices.Equal(told.lines, want) || told.failed {
		t.Errorf("failed: %v; told %q, want %q", told.failed, told.lines, want)
	}
}

// Warnings are shown and fail nothing.
func TestTestOfWarnings(t *testing.T) {
	told := &recorder{TB: t}
	h, err := harness.New(&harness.Target{
		Kind: widgetV1.GroupKind(), Scheme: harness.Documents{},
		Versions: []harness.Version{{GroupVersionKind: widgetV1, Native: warning("size goes\naway"),
			Declarative: atLeast("declarative", 3)}},
	}, harness.Options{})
	if err != nil {
		t.Fatal(err)
	}
	h.Test(told, harness.Case{Object: widget("a", 3)})
	want := []string{"example.com/v1 Widget: warning of the native backend: size goes\\naway"}
	if !slices.Equal(told.lines, want) || told.failed {
		t.Errorf("failed: %v; told %q, want %q", told.failed, told.lines, want)
	}
}

// warning is a backend that accepts with a warning.
type warning string

func (warning) Name() string { return "native" }

func (w warning) Validate(ctx context.Context, _ *harness.Input) (field.ErrorList, error) {
	contract.AddNotes(ctx, contract.Notes{Warnings: []string{string(w)}})
	return nil, nil
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
		{why: "agreement passes and returns the native errors", bound: 3, object: widget("a", 2), errors: 1,
			says: "example.com/v1beta1 Widget cannot express this case"},
		{why: "a difference fails and shows both sides", bound: 4, object: widget("a", 3), failed: true, says: "too-strict"},
		{why: "and what to do", bound: 4, object: widget("a", 3), failed: true,
			says: "what to do: fix the validator or the schema. Where both mean the same, pass a rule to harness.For (harness.WithRules)"},
		{why: "a fault fails", bound: 3, object: widget("native panics", 3), failed: true,
			says: "fault of the native backend in example.com/v1 Widget\n\t\tpanic"},
		{
			why: "a case that no version can express compares nothing, and fails", bound: 3, failed: true,
			object: map[string]any{"apiVersion": "example.com/v2", "kind": "Widget", "size": int64(3)},
			says:   "no version of Widget.example.com can express this case: nothing was compared",
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

// A rule does not explain an inconsistent backend: it has to be fixed first.
func TestTestOfUnstable(t *testing.T) {
	calls := 0
	wavering := backend{"native", func(context.Context, *harness.Input) (field.ErrorList, error) {
		if calls++; calls%2 == 0 {
			return nil, nil
		}
		return field.ErrorList{field.Required(field.NewPath("color"), "")}, nil
	}}
	h, err := harness.New(&harness.Target{
		Kind: widgetV1.GroupKind(), Scheme: harness.Documents{},
		Versions: []harness.Version{{GroupVersionKind: widgetV1, Native: wavering, Declarative: atLeast("declarative", 3)}},
	}, harness.Options{Repeat: 2})
	if err != nil {
		t.Fatal(err)
	}
	told := &recorder{TB: t}
	h.Test(told, harness.Case{Object: widget("a", 3)})
	text := strings.Join(told.lines, "\n")
	if !told.failed || !strings.Contains(text, "ranges over a map or keeps state; fix that first") ||
		strings.Contains(text, "harness.WithRules") {
		t.Errorf("failed: %v; told:\n%s", told.failed, text)
	}
}

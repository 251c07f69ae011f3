package exploretest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/explore"
)

// native is a schema in the place of a hand-written validator.
type native struct{ harness.Backend }

func (native) Name() string { return contract.NativeName }

// schemaUpTo returns the schema of widgets up to a size.
func schemaUpTo(t testing.TB, limit float64) declarative.Backend {
	t.Helper()
	validator, err := declarative.Compile(new(spec.Schema).Typed("object", "").
		SetProperty("size", *spec.Int64Property().WithMinimum(0, false).WithMaximum(limit, false)).
		SetProperty("name", *spec.StringProperty()), declarative.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return declarative.Backend{Validator: validator}
}

// both compares widgets up to a limit with a schema up to 9.
func both(t testing.TB, limit float64) *harness.Harness {
	t.Helper()
	h, err := harness.New(&harness.Target{Scheme: harness.Documents{}, Versions: []harness.Version{{
		GroupVersionKind: schema.GroupVersionKind{Group: "example.dev", Version: "v1", Kind: "Widget"},
		Native:           native{schemaUpTo(t, limit)}, Declarative: schemaUpTo(t, 9),
	}}}, harness.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

var valid = harness.Case{Object: map[string]any{"apiVersion": "example.dev/v1", "kind": "Widget", "size": int64(3), "name": "a"}}

// recorder keeps what a test would print.
type recorder struct {
	testing.TB
	logs, errors []string
}

func (r *recorder) Helper() {}
func (r *recorder) Logf(format string, args ...any) {
	r.logs = append(r.logs, fmt.Sprintf(format, args...))
}
func (r *recorder) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}

func TestRun(t *testing.T) {
	for _, row := range []struct {
		why    string
		limit  float64
		starts []harness.Case
		want   []string // in the first failure; none: there is none
	}{
		{"the validators agree", 9, []harness.Case{valid}, nil},
		{"the schema refuses 10", 10, []harness.Case{valid}, []string{
			"too-strict (refuses): example.dev/v1 Widget size",
			"the native validator accepts it",
			"size: 10",
		}},
		{"objects are made from the schema", 7, nil, []string{"too-loose (admits): example.dev/v1 Widget size", "size: 8"}},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Chdir(t.TempDir())
			t.Setenv(SeedVariable, "7")
			r := &recorder{TB: t}
			Run(r, both(t, row.limit), 20*time.Second, row.starts...)
			if (len(r.errors) > 0) != (len(row.want) > 0) {
				t.Fatalf("failures: %q", r.errors)
			}
			if all := strings.Join(r.logs, "\n"); !strings.Contains(all, "seed 7") {
				t.Errorf("the seed is not logged: %s", all)
			}
			for _, part := range row.want {
				if !strings.Contains(r.errors[0], part) {
					t.Errorf("%q is not in the failure:\n%s", part, r.errors[0])
				}
			}
			if files, _ := filepath.Glob(filepath.Join(folder, "*.yaml")); len(files) != len(r.errors) {
				t.Errorf("%d files for %d failures", len(files), len(r.errors))
			}
		})
	}
}

// The case of a failure is a file of cases with the smallest object.
func TestFuzzedInput(t *testing.T) {
	t.Chdir(t.TempDir())
	h := both(t, 5)
	k, err := newKind(h, h.Target().Versions[0])
	if err != nil {
		t.Fatal(err)
	}
	r := &recorder{TB: t}
	in, _ := decoded([]byte(`{"apiVersion":"example.dev/v1","kind":"Widget","size":8,"name":"a long name"}`), nil)
	k.check(r, k.ask, in)
	if len(r.errors) != 1 {
		t.Fatalf("failures: %q", r.errors)
	}
	files, _ := filepath.Glob(filepath.Join(folder, "*.yaml"))
	if len(files) != 1 {
		t.Fatalf("files: %q", files)
	}
	text, err := os.ReadFile(files[0])
	if err != nil || strings.Contains(string(text), "a long name") || !strings.Contains(string(text), "size: 6") {
		t.Errorf("the case is not small: %s %v", text, err)
	}
}

// Bytes that are no object are no input.
func TestDecoded(t *testing.T) {
	for _, text := range []string{"", "[]", "null", `{"a":`, "3"} {
		if in, ok := decoded([]byte(text), nil); ok {
			t.Errorf("%q is %v", text, in)
		}
	}
	if in, ok := decoded([]byte(`{"a":1}`), []byte(`{"a":2}`)); !ok || !in.IsUpdate() || in.Old["a"] != int64(2) {
		t.Errorf("got %v", in)
	}
}

// Vary depends on the number alone, and changes something.
func TestVary(t *testing.T) {
	h := both(t, 9)
	k, err := newKind(h, h.Target().Versions[0])
	if err != nil {
		t.Fatal(err)
	}
	in, seen := inputsOf([]harness.Case{valid})[0], map[string]bool{}
	for seed := range uint64(50) {
		a, b := explore.New(k.options(nil)).Vary(in, seed+1), explore.New(k.options(nil)).Vary(in, seed+1)
		if fmt.Sprint(a) != fmt.Sprint(b) {
			t.Errorf("seed %d: %v and %v", seed+1, a, b)
		}
		seen[fmt.Sprint(a)] = true
	}
	if len(seen) < 20 {
		t.Errorf("only %d different inputs", len(seen))
	}
}

func FuzzWidget(f *testing.F) { Fuzz(f, both(f, 9), valid) }

package errorsites_test

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/native/exec"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/gomodule/errorsites"
)

// TestCounter: a program that is built by "go run" tells for each answer which sites made the errors, and the
// sites that nothing reached are named.
func TestCounter(t *testing.T) {
	counter := errorsites.NewCounter()
	backend, err := exec.New(exec.Options{Command: []string{"go", "run", "./testdata/validator"}, Parallel: 1, Counting: counter})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := backend.Close(); err != nil {
			t.Error(err)
		}
	}()
	for _, tt := range []struct {
		why    string
		gadget map[string]any
		want   []string // the place of each error
	}{
		{"accepted", map[string]any{"name": "a", "shape": "flat"}, nil},
		{"a constructor of package field, twice", map[string]any{"name": "", "size": int64(-1), "shape": "flat"},
			[]string{"gadgets.go:32", "gadgets.go:35"}},
		{"a plain error, a literal, calls of a function that makes errors",
			map[string]any{
				"name":  "bad",
				"shape": "flat",
				"parts": []any{map[string]any{"name": "x", "port": int64(80)}, map[string]any{"name": "y", "port": int64(70000)}},
			},
			[]string{"main.go:34", "gadgets.go:68", "gadgets.go:65", "gadgets.go:46"}},
		{"a literal without its type", map[string]any{"name": "a", "shape": "cubic"}, []string{"main.go:45", "gadgets.go:42"}},
		{"an error of a variable has no site of its own; the cause has", map[string]any{"name": "empty", "shape": "flat"},
			[]string{"main.go:48"}},
		{"the counters begin anew", map[string]any{"name": "a", "shape": "flat"}, nil},
	} {
		ctx, notes := contract.CollectNotes(t.Context())
		errs, err := backend.Validate(ctx, &harness.Input{
			Request: harness.Request{
				Version:   schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Gadget"},
				Operation: admissionv1.Create,
			},
			Object: contract.NewView(tt.gadget),
		})
		if err != nil {
			t.Fatalf("%s: %v; %v", tt.why, err, counter.Unknown())
		}
		var got []string
		for i, site := range counter.Sites(notes().Executed, errs) {
			if site == nil {
				t.Errorf("%s: %v has no site", tt.why, errs[i])
				continue
			}
			got = append(got, fmt.Sprintf("%s:%d", path.Base(site.File), site.Line))
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", tt.why, errs, diff)
		}
	}
	reached := counter.Reached()
	var never []string
	for _, site := range reached.Never {
		never = append(never, fmt.Sprintf("%s:%d %s", path.Base(site.File), site.Line, site.Name))
	}
	want := []string{
		`gadgets.go:38 Validate: Invalid spec.size "must be at most …, 100% sure"`,
		`gadgets.go:58 validateParts: Duplicate [*].name`,
		`gadgets.go:62 validateParts: badPort [*].port "port must be set"`,
	} // not those of Whole and Maker, which no executed function calls
	if diff := cmp.Diff(want, never); diff != "" {
		t.Errorf("never reached (-want +got):\n%s", diff)
	}
	if text := reached.Text(); !strings.HasPrefix(text, "10 of 13 error sites and ") || len(counter.Unknown()) > 0 {
		t.Errorf("%s; %v", text, counter.Unknown())
	}
}

// TestCounterUnknown: a program that cannot be instrumented is built without counters, and the reason is
// known.
func TestCounterUnknown(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":  "module example.com/old\n\ngo 1.17\n",
		"main.go": "package main\n\nimport \"errors\"\n\nfunc main() { check() }\n\nfunc check() error { return errors.New(\"a\") }\n",
		"none.go": "package main\n\nfunc main() {}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for file, want := range map[string]string{
		"none.go":    "go run none.go: no function that its validators call makes an error, in the main module",
		"missing.go": "go run missing.go: ",
		"main.go":    "go run main.go: with counters, the validator does not build: ",
	} {
		counter := errorsites.NewCounter()
		backend, err := exec.New(exec.Options{Command: []string{"go", "run", file}, Dir: dir, Parallel: 1, Counting: counter})
		if err != nil {
			t.Fatal(err)
		}
		_, err = backend.Validate(t.Context(), &harness.Input{Object: contract.NewView(map[string]any{})})
		if err == nil || file != "missing.go" && !strings.Contains(err.Error(), "ended without an answer") {
			t.Errorf("%s: %v", file, err)
		}
		if why := counter.Unknown(); len(why) != 1 || !strings.HasPrefix(why[0], want) {
			t.Errorf("%s: %q, want %q", file, why, want)
		}
		if err := backend.Close(); err != nil {
			t.Error(err)
		}
	}
}

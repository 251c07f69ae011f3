package infer

import (
	"fmt"
	"path"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/backends/native/exec"
	"github.com/diffrun/diffrun/internal/gomodule/errorsites"
)

// TestOrigins: errors that a validator wraps and joins are one site for each line that makes one. All of them begin alike, and
// the values of the object are in their texts.
func TestOrigins(t *testing.T) {
	t.Parallel()
	counter := errorsites.NewCounter()
	backend, err := exec.New(exec.Options{Command: []string{"go", "run", "./testdata/plain"}, Parallel: 1, Counting: counter})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := backend.Close(); err != nil {
			t.Error(err)
		}
	}()
	crd := definition("patches: {type: array, maxItems: 4, items: {type: object, required: [path, op], properties: " +
		"{path: {type: string, maxLength: 20}, op: {type: string, enum: [add, remove]}, value: {type: string, maxLength: 5}}}}")
	about := targetOfBackend(t, crd, backend, spec{"patches": []any{map[string]any{"path": "/a", "op": "add", "value": "b"}}})
	options := options()
	options.Origins = counter.Sites
	report, err := Run(t.Context(), about, options)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range report.Sites {
		got = append(got, fmt.Sprintf("%s: %s", path.Base(s.Source), s.Status))
	}
	slices.Sort(got)
	if diff := cmp.Diff([]string{"main.go:23: proven", "main.go:26: proven", "main.go:38: proven"}, got); diff != "" {
		t.Errorf("sites (-want +got):\n%s\n%s", diff, report.Text())
	}
}

package native_test

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/backends/native"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
)

func TestErrorFunc(t *testing.T) {
	var seen []any
	backend := native.ErrorFunc[map[string]any](func(_ context.Context, object, old map[string]any) error {
		seen = append(seen, object["size"], old["size"])
		object["size"] = "written to"
		return errors.New("no")
	})
	in := &harness.Input{Object: contract.NewView(map[string]any{"size": int64(1)}),
		Old: contract.NewView(map[string]any{"size": int64(2)})}
	for range 2 { // if a validator modifies its argument, the next call does not see it
		errs, err := backend.Validate(t.Context(), in)
		if err != nil || len(errs) != 1 || errs[0].Detail != "no" {
			t.Errorf("errors %v, fault %v", errs, err)
		}
	}
	if diff := cmp.Diff([]any{int64(1), int64(2), int64(1), int64(2)}, seen); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if backend.Name() != "native" {
		t.Errorf("name %q", backend.Name())
	}
}

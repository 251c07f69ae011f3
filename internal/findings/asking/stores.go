package asking

import (
	"context"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/object"
)

// Stores returns a function that reports whether the native side of create, a harness for the resource itself, would
// store an object. If the resource has a status that is updated alone, status is a harness for that, and the object is
// created without its status, which an update then sets.
func Stores(create, status *harness.Harness, like harness.Case) (explore.Stores, error) {
	like.Subresource = ""
	byCreate, err := accepting(create, like)
	if err != nil || status == nil {
		return func(ctx context.Context, object map[string]any) (bool, error) {
			return byCreate(ctx, explore.Input{Object: created(object)})
		}, err
	}
	like.Subresource = "status"
	byStatus, err := accepting(status, like)
	return func(ctx context.Context, of map[string]any) (bool, error) {
		bare := object.Of("status").Delete(of)
		accepted, err := byCreate(ctx, explore.Input{Object: created(bare)})
		if _, has := of["status"]; !accepted || err != nil || !has {
			return accepted, err
		}
		return byStatus(ctx, explore.Input{Object: of, Old: bare})
	}, err
}

// created returns an object as a client creates it.
func created(of map[string]any) map[string]any {
	return object.Of("metadata", "resourceVersion").Delete(of)
}

// accepting returns a function that reports whether the native side accepts an input in each version that can express it.
func accepting(h *harness.Harness, like harness.Case) (func(context.Context, explore.Input) (bool, error), error) {
	quick, err := h.With(func(o *harness.Options) { o.Stored, o.Ledger = false, nil })
	return func(ctx context.Context, in explore.Input) (bool, error) {
		results, err := quick.Check(ctx, Case(like, in))
		asked := false
		for i := range results {
			r := &results[i]
			switch {
			case r.Verdict == words.Inexpressible:
				continue
			case r.Fault != nil || r.Native.Fault != nil || len(r.Native.Errors)+len(r.Native.Unstable) > 0:
				return false, err
			}
			asked = true
		}
		return asked, err
	}, err
}

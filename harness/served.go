package harness

import (
	"context"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/fieldpath"
)

// leaveToTest moves the differences that only the call of the test shows from Pairs to TestOnly. A
// function of validation.go is often a part of what the API server runs, or gets options of the
// test or an object without defaults. So the object is compared again as a client sends it:
// defaulted, prepared, and validated as the API server does (contract.Capabilities.ServesRequests). An error
// that is in no difference there comes from the call and not from the schema. If the object cannot
// be written as JSON, no client sends it, and all differences move. Without a second comparison all
// stay.
func (h *Harness) leaveToTest(ctx context.Context, results []Result) {
	for i := range results {
		result := &results[i]
		if result.Verdict != words.Different {
			continue
		}
		served, known := h.served(ctx, result)
		if !known {
			continue
		}
		result.Pairs = slices.DeleteFunc(result.Pairs, func(pair equivalence.Pair) bool {
			testOnly := !pair.Explained() && !served.differsAt(pair.Native) && !served.differsAt(pair.Declarative)
			if testOnly {
				result.TestOnly = append(result.TestOnly, pair)
			}
			return testOnly
		})
		result.Verdict = verdict(result)
	}
}

// served compares the object of a result as a client sends it in the version of the result. It
// returns the zero Result for an object that no client can send. known is false for parts of a
// kind, documents, and native backends that do not serve requests.
func (h *Harness) served(ctx context.Context, result *Result) (served Result, known bool) {
	at := slices.IndexFunc(h.target.Versions, func(v Version) bool { return v.GroupVersionKind == result.Version })
	version := h.target.Versions[at]
	if result.Case.Path != nil || !contract.CapabilitiesOf(version.Native).ServesRequests {
		return Result{}, false
	}
	objects := pair{result.Case.Object, result.Case.Old}
	versioned, err := objects.each(func(object any) (any, error) {
		if _, whole := object.(runtime.Object); !whole {
			return nil, fmt.Errorf("a %T is not an object of a kind", object)
		}
		return h.target.Scheme.Convert(object, result.Version)
	})
	if err != nil {
		return Result{}, false
	}
	documents, err := versioned.each(func(object any) (any, error) { return contract.NewView(object).Unstructured() })
	if err != nil {
		return Result{}, true
	}
	if document := documents.object.(map[string]any); apiname.CheckVersion(document, result.Version) != nil {
		return Result{}, false
	}
	// The ledger counts only what the call of the test explains.
	again := &Harness{target: h.target, scheme: h.scheme, options: h.options, matchers: h.matchers}
	again.options.Ledger = nil
	sent := Case{
		ID:          result.Case.ID,
		Version:     result.Version,
		Subresource: result.Case.Subresource,
		Object:      documents.object,
		Old:         documents.old,
	}
	results, err := again.check(ctx, sent, []Version{version}, nil)
	if err != nil || results[0].Verdict == words.Faulted || results[0].Verdict == words.Inexpressible {
		return Result{}, false
	}
	return results[0], true
}

// differsAt reports whether an unexplained difference has an error like this one.
func (r *Result) differsAt(err *field.Error) bool {
	return err != nil && slices.ContainsFunc(r.Pairs, func(pair equivalence.Pair) bool {
		return !pair.Explained() && (like(pair.Native, err) || like(pair.Declarative, err))
	})
}

// like reports whether two errors have the same type and field.
func like(a, b *field.Error) bool {
	return a != nil && a.Type == b.Type && fieldpath.Canonical(a.Field) == fieldpath.Canonical(b.Field)
}

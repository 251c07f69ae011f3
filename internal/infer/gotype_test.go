package infer

import (
	"context"
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
)

// tiered is a Scheme with a hand-written default: spec.tier.
type tiered struct{ harness.Documents }

func (tiered) Capabilities() contract.SchemeCapabilities {
	return contract.SchemeCapabilities{
		Defaulted: func(any, map[string]any, schema.GroupVersionKind,
			func(map[string]any) map[string]any) (native, declarative map[string]any, err error) {
			return nil, nil, nil
		},
	}
}

func (tiered) Default(_ context.Context, _ harness.Request, object, old any) (any, any, error) {
	for _, one := range []any{object, old} {
		document, _ := one.(map[string]any)
		if fields, has := document["spec"].(map[string]any); has && fields["tier"] == nil {
			fields["tier"] = "slow"
		}
	}
	return object, old, nil
}

// TestHandwrittenDefaults: the schema of a Go type requires a field that a hand-written default sets. Objects without it are not
// refused, so updates of them are asked about, and their other fields are varied.
func TestHandwrittenDefaults(t *testing.T) {
	crd := definition("name: {type: string, maxLength: 3}\ntier: {type: string}", "tier")
	target := targetOf(t, crd, func(_, _ spec) field.ErrorList { return nil }, spec{"name": "a"}, spec{"name": "long"})
	served := *target.Harness.Target()
	served.Scheme = tiered{}
	h, err := harness.New(&served, target.HarnessOptions)
	if err != nil {
		t.Fatal(err)
	}
	target.Harness, target.GoPackage = h, "example.com/api/v1"
	if got := refusedToday(t, target, options()); !slices.Equal(got, []bool{false, true}) {
		t.Errorf("the schema refuses %v; want the long name alone", got)
	}
}

package shadow_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/shadow"
)

// sizes compiles a schema of widgets with an upper bound.
func sizes(t *testing.T, maximum float64) *declarative.Validator {
	t.Helper()
	declared := new(spec.Schema).Typed("object", "").
		SetProperty("size", *spec.Int64Property().WithMinimum(0, false).WithMaximum(maximum, false))
	validator, err := declarative.Compile(declared, declarative.Options{Root: true})
	if err != nil {
		t.Fatal(err)
	}
	return validator
}

// TestStages: an error has the stage of the first schema that returns it.
func TestStages(t *testing.T) {
	stages := shadow.Stages{Stable: sizes(t, 9), Beta: sizes(t, 7), Alpha: sizes(t, 5)}
	version := schema.GroupVersionKind{Group: "example.dev", Version: "v1", Kind: "Widget"}
	target := &harness.Target{
		Kind:     version.GroupKind(),
		Scheme:   harness.Documents{},
		Versions: []harness.Version{{GroupVersionKind: version, Native: shadow.Native{}, Declarative: stages}},
	}
	for _, row := range []struct {
		why  string
		size int64
		want []string
	}{
		{"all accept", 5, nil},
		{"a rule in alpha refuses, and decides nothing", 6, nil},
		{"a rule in beta refuses, which alpha has made stricter", 8, []string{"size in body should be less than or equal to 7"}},
		{"... as it has the stable one", 10, []string{
			"size in body should be less than or equal to 7",
			"size in body should be less than or equal to 9",
		}},
		{"a stable rule refuses", -1, []string{"size in body should be greater than or equal to 0"}},
	} {
		s, _, _ := beside(t, target, shadow.Options{Enforce: true})
		var details []string
		c := harness.Case{Object: map[string]any{"apiVersion": "example.dev/v1", "kind": "Widget", "size": row.size}}
		for _, err := range s.Validate(t.Context(), c, func(context.Context) field.ErrorList { return nil }) {
			details = append(details, err.Detail)
		}
		if diff := cmp.Diff(row.want, details); diff != "" {
			t.Errorf("%s: -want +got:\n%s", row.why, diff)
		}
	}
}

// slow ignores its context, and reports whether it is still working.
type slow struct{ working, located atomic.Bool }

func (*slow) Name() string { return "declarative" }

func (s *slow) Validate(context.Context, *harness.Input) (field.ErrorList, error) {
	s.working.Store(true)
	defer s.working.Store(false)
	time.Sleep(1500 * time.Millisecond) // longer than other callers wait for a backend after its timeout
	return field.ErrorList{field.Required(field.NewPath("size"), "")}, nil
}

// Capabilities has Locate, which would compile the schema once more.
func (s *slow) Capabilities() contract.Capabilities {
	return contract.Capabilities{Locate: func(context.Context, *harness.Input) ([]contract.Located, error) {
		s.located.Store(true)
		return nil, nil
	}}
}

// TestObjectsMayChangeAfterwards: nothing reads an object once its request continues, even if the budget ran
// out.
func TestObjectsMayChangeAfterwards(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		schemas := &slow{}
		target := saying(nil)
		target.Versions[0].Declarative = schemas
		s, m, _ := beside(t, target, shadow.Options{Budget: time.Millisecond})
		s.Validate(t.Context(), document(), func(context.Context) field.ErrorList { return nil })
		if schemas.working.Load() {
			t.Error("the schema is still at work on the object of a request that has gone on")
		}
		if schemas.located.Load() {
			t.Error("a request paid for what only reports show")
		}
		if n := total(t, m, "cases_total"); n != 1 {
			t.Errorf("%d requests were counted; wanted 1", n)
		}
	})
}

package covered

import (
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/exploretest"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
)

// TestExplore fails: the schema alone refuses a null. The test outside reads what it logs.
func TestExplore(t *testing.T) {
	t.Chdir(t.TempDir()) // for the cases of findings
	validator, err := declarative.Compile(new(spec.Schema).Typed("object", "").
		SetProperty("size", *spec.Int64Property().WithMaximum(9, false)), declarative.Options{})
	if err != nil {
		t.Fatal(err)
	}
	h, err := harness.New(&harness.Target{Scheme: harness.Documents{}, Versions: []harness.Version{{
		GroupVersionKind: schema.GroupVersionKind{Group: "example.dev", Version: "v1", Kind: "Widget"},
		Native:           Limits{}, Declarative: declarative.Backend{Validator: validator},
	}}}, harness.Options{Compare: words.CompareVerdict})
	if err != nil {
		t.Fatal(err)
	}
	exploretest.Run(t, h, 20*time.Second)
}

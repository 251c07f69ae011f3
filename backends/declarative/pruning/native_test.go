package pruning_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/pruning"
	"github.com/diffrun/diffrun/internal/openapi"
	"github.com/diffrun/diffrun/internal/testing/served"
)

func TestRecursiveSchema(t *testing.T) {
	nodes, err := openapi.FromProps(served.Props(t, `{type: object, properties: {name: {type: string}, next: {$ref: `+
		`"#/definitions/Node"}, all: {type: array, items: {$ref: "#/definitions/Node"}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	p, err := pruning.Compile(nodes, pruning.Options{Definitions: map[string]*spec.Schema{"Node": nodes}})
	if err != nil {
		t.Fatal(err)
	}
	got := p.Prune(served.Object(t, `{next: {next: {name: a, x: 1}, all: [{"y": 1, next: {z: [1]}}]}}`))
	if diff := cmp.Diff(served.Object(t, `{next: {next: {name: a}, all: [{next: {}}]}}`), got.Object); diff != "" {
		t.Errorf("a recursive type is pruned at every depth; want against got:\n%s", diff)
	}
	if diff := cmp.Diff([]string{"next.all[0].next.z", "next.all[0].y", "next.next.x"}, got.Dropped); diff != "" {
		t.Errorf("dropped, want against got:\n%s", diff)
	}
}

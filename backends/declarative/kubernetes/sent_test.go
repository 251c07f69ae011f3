package kubernetes_test

import (
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/kubernetes"
)

// TestSent: clients need not send fields that Kubernetes sets before it validates, but all other required
// fields, and the schema that runs compare is unchanged. The containers of a Pod are in its own schema, those
// of a Deployment in a definition.
func TestSent(t *testing.T) {
	library := kubernetes.NewLibrary()
	containerOf := map[schema.GroupVersionKind]func(*spec.Schema, map[string]*spec.Schema) []string{
		{Version: "v1", Kind: "Pod"}: func(root *spec.Schema, _ map[string]*spec.Schema) []string {
			return root.Properties["spec"].Properties["containers"].Items.Schema.Required
		},
		{Group: "apps", Version: "v1", Kind: "Deployment"}: func(_ *spec.Schema, definitions map[string]*spec.Schema) []string {
			return definitions["io.k8s.api.core.v1.Container"].Required
		},
	}
	for kind, container := range containerOf {
		sent, definitions, err := library.Sent(kind)
		if err != nil {
			t.Fatal(err)
		}
		compared, comparedDefinitions, err := library.Schema(kind)
		if err != nil {
			t.Fatal(err)
		}
		for _, tt := range []struct {
			field          string
			sent, compared []string
			inBoth         bool
		}{
			{"namespace", sent.Properties["metadata"].Required, compared.Properties["metadata"].Required, false},
			{"imagePullPolicy", container(sent, definitions), container(compared, comparedDefinitions), false},
			{"image", container(sent, definitions), container(compared, comparedDefinitions), true},
		} {
			if slices.Contains(tt.sent, tt.field) != tt.inBoth || !slices.Contains(tt.compared, tt.field) {
				t.Errorf("%s, %s: required of clients %v, of validators %v", kind.Kind, tt.field, tt.sent, tt.compared)
			}
		}
	}
	if _, _, err := library.Sent(schema.GroupVersionKind{Version: "v1", Kind: "Nonsense"}); err == nil {
		t.Error("a kind without a schema has one")
	}
}

package kubernetes_test

import (
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/declarative/idl/kubernetes"
)

// TestSent: what Kubernetes sets before it validates is not required of clients, all else is, and
// the schema that runs compare stays as it is.
func TestSent(t *testing.T) {
	pod := schema.GroupVersionKind{Version: "v1", Kind: "Pod"}
	library := kubernetes.NewLibrary()
	sent, definitions, err := library.Sent(pod)
	if err != nil {
		t.Fatal(err)
	}
	compared, comparedDefinitions, err := library.Schema(pod)
	if err != nil {
		t.Fatal(err)
	}
	const container = "io.k8s.api.core.v1.Container"
	for _, tt := range []struct {
		field          string
		sent, compared []string
		inBoth         bool
	}{
		{"namespace", sent.Properties["metadata"].Required, compared.Properties["metadata"].Required, false},
		{"imagePullPolicy", definitions[container].Required, comparedDefinitions[container].Required, false},
		{"image", definitions[container].Required, comparedDefinitions[container].Required, true},
	} {
		if slices.Contains(tt.sent, tt.field) != tt.inBoth || !slices.Contains(tt.compared, tt.field) {
			t.Errorf("%s: required of clients %v, of validators %v", tt.field, tt.sent, tt.compared)
		}
	}
	if _, _, err := library.Sent(schema.GroupVersionKind{Version: "v1", Kind: "Nonsense"}); err == nil {
		t.Error("a kind without a schema has one")
	}
}

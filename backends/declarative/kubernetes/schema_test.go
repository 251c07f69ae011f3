package kubernetes_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/kubernetes"
)

func TestEveryKindHasASchema(t *testing.T) {
	library := kubernetes.NewLibrary()
	kinds := kubernetes.Kinds()
	if len(kinds) < 20 {
		t.Fatalf("%d kinds; the suites need more", len(kinds))
	}
	if !slices.IsSortedFunc(kinds, func(a, b schema.GroupVersionKind) int { return strings.Compare(a.String(), b.String()) }) {
		t.Error("the kinds are not sorted")
	}
	for _, gvk := range kinds {
		t.Run(gvk.GroupVersion().String()+" "+gvk.Kind, func(t *testing.T) {
			root, definitions, err := library.Schema(gvk)
			if err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{"apiVersion", "kind", "metadata"} {
				isRequest := gvk.Kind == "DeploymentRollback" || gvk.Kind == "PodLogOptions" // which have no metadata
				if _, ok := root.Properties[name]; !ok && !(isRequest && name == "metadata") {
					t.Errorf("a resource has the field %s", name)
				}
			}
			for name, definition := range definitions {
				checkRefs(t, name, definition, definitions)
			}
		})
	}
}

// checkRefs looks for a $ref that leads out of the definitions beside it.
func checkRefs(t *testing.T, name string, s *spec.Schema, definitions map[string]*spec.Schema) {
	t.Helper()
	if to, ok := strings.CutPrefix(s.Ref.String(), "#/definitions/"); ok && definitions[to] == nil {
		t.Errorf("%s refers to %s, which did not come with it", name, to)
	}
	for field, property := range s.Properties {
		checkRefs(t, name+"."+field, &property, definitions)
	}
	if s.Items != nil {
		checkRefs(t, name+"[*]", s.Items.Schema, definitions)
	}
	if s.AdditionalProperties != nil {
		checkRefs(t, name+"[*]", s.AdditionalProperties.Schema, definitions)
	}
}

func TestAKindComesWithWhatItNeedsOnly(t *testing.T) {
	_, definitions, err := kubernetes.NewLibrary().Schema(schema.GroupVersionKind{Version: "v1", Kind: "Endpoints"})
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := definitions["io.k8s.api.core.v1.PodSpec"]; ok {
		t.Error("Endpoints have no pod in them")
	}
	if _, ok := definitions["io.k8s.api.core.v1.ObjectReference"]; !ok {
		t.Error("what the addresses of Endpoints refer to is missing")
	}
}

func TestUnknownKind(t *testing.T) {
	_, _, err := kubernetes.NewLibrary().Schema(schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deplyment"})
	if !errors.Is(err, kubernetes.ErrUnknownKind) || !strings.Contains(err.Error(), "apps/v1 Deployment") {
		t.Errorf("got %v, want ErrUnknownKind with the kinds that there are", err)
	}
}

package cluster

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/objectmeta"
)

// addStored reports what the cluster would store, with the name and namespace of the case: the
// request went to the scratch namespace, and the API server generated a name. A request to scale is
// answered with a Scale, which is not the stored object.
func addStored(ctx context.Context, in *harness.Input, resource *resource, answer *unstructured.Unstructured) {
	sent, err := in.Object.Unstructured()
	if err != nil || answer == nil || answer.GroupVersionKind() != in.Version {
		return
	}
	of, stored := unstructured.Unstructured{Object: sent}, answer.DeepCopy()
	if resource.Namespaced {
		stored.SetNamespace(metav1.NamespaceDefault)
		if namespace := of.GetNamespace(); namespace != "" {
			stored.SetNamespace(namespace)
		}
	}
	if prefix := of.GetGenerateName(); prefix != "" && of.GetName() == "" && in.Old == nil {
		stored.SetName(objectmeta.GeneratedName(prefix))
	}
	contract.AddNotes(ctx, contract.Notes{Stored: stored.Object})
}

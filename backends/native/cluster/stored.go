package cluster

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/objectmeta"
)

// addStored says what the cluster would store, with the name and namespace that the case means: the
// request went to the scratch namespace, and the API server drew the end of a generated name. The
// answer to a request to a scale is a Scale, which is not what is stored.
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
	harness.AddStored(ctx, stored.Object)
}

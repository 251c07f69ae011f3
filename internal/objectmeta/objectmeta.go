package objectmeta

import (
	"slices"

	apiequality "k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
)

// Values that the API server generates when it stores an object.
const (
	MadeUpUID             = types.UID("11111111-1111-4111-8111-111111111111")
	MadeUpResourceVersion = "1"
)

// setMadeUpTime sets the creation time of all objects. Documents have it as text, which is not formatted
// for each.
func setMadeUpTime(object metav1.Object) {
	document, isDocument := object.(*unstructured.Unstructured)
	if !isDocument {
		object.SetCreationTimestamp(metav1.Unix(0, 0))
		return
	}
	if metadata, has := document.Object["metadata"].(map[string]any); has {
		metadata["creationTimestamp"] = "1970-01-01T00:00:00Z"
	}
}

// Address sets the namespace of a request in an object without one, and removes it from a cluster-scoped
// object (EnsureObjectNamespaceMatchesRequestNamespace of k8s.io/apiserver/pkg/registry/rest).
func Address(object metav1.Object, namespaced bool, namespace string) {
	switch {
	case !namespaced && object.GetNamespace() != "":
		object.SetNamespace("")
	case namespaced && object.GetNamespace() == "" && namespace != "":
		object.SetNamespace(namespace)
	}
}

// NameLike names an unnamed old object as the new one: only a request for that name updates it.
func NameLike(old, object metav1.Object) {
	if old.GetName() == "" && object.GetName() != "" {
		old.SetName(object.GetName())
	}
	if old.GetNamespace() == "" && object.GetNamespace() != "" {
		old.SetNamespace(object.GetNamespace())
	}
}

// PrepareCreate prepares a new object: it resets the fields that only the system sets
// (WipeObjectMetaSystemFields), and sets a uid and the creation time (FillObjectMetaSystemFields).
func PrepareCreate(object metav1.Object, namespaced bool) {
	Address(object, namespaced, "")
	object.SetDeletionTimestamp(nil)
	object.SetDeletionGracePeriodSeconds(nil)
	object.SetUID(MadeUpUID)
	setMadeUpTime(object)
	distinctOwners(object)
}

// PrepareUpdate prepares the new object of an update with fields of the stored object (BeforeUpdate of
// k8s.io/apiserver/pkg/registry/rest); see Store. If unconditional updates are allowed, a missing
// resourceVersion is that of the stored object.
func PrepareUpdate(object, stored metav1.Object, namespaced, unconditional bool) {
	Address(object, namespaced, "")
	object.SetGeneration(stored.GetGeneration())
	if unconditional && object.GetResourceVersion() == "" {
		object.SetResourceVersion(stored.GetResourceVersion())
	}
	if object.GetUID() == "" {
		object.SetUID(stored.GetUID())
	}
	if since := stored.GetCreationTimestamp(); !since.IsZero() {
		object.SetCreationTimestamp(since)
	}
	if since := stored.GetDeletionTimestamp(); !since.IsZero() {
		object.SetDeletionTimestamp(since)
	}
	if object.GetDeletionGracePeriodSeconds() == nil && stored.GetDeletionGracePeriodSeconds() != nil {
		object.SetDeletionGracePeriodSeconds(stored.GetDeletionGracePeriodSeconds())
	}
	distinctOwners(object)
}

// Store sets the fields that each stored object has and cases omit.
func Store(object metav1.Object, namespaced bool) {
	Address(object, namespaced, "")
	Fill(object)
	if object.GetResourceVersion() == "" {
		object.SetResourceVersion(MadeUpResourceVersion)
	}
}

// Fill sets the uid and the creation time of an object if it has none.
func Fill(object metav1.Object) {
	if object.GetUID() == "" {
		object.SetUID(MadeUpUID)
	}
	if since := object.GetCreationTimestamp(); since.IsZero() {
		setMadeUpTime(object)
	}
}

// distinctOwners removes duplicate owners (dedupOwnerReferences of k8s.io/apiserver/pkg/endpoints/handlers).
func distinctOwners(object metav1.Object) {
	owners := object.GetOwnerReferences()
	var distinct []metav1.OwnerReference
	for _, owner := range owners {
		if !slices.ContainsFunc(distinct, func(other metav1.OwnerReference) bool { return apiequality.Semantic.DeepEqual(owner, other) }) {
			distinct = append(distinct, owner)
		}
	}
	if len(distinct) < len(owners) {
		object.SetOwnerReferences(distinct)
	}
}

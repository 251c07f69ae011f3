package objectmeta

import (
	"slices"

	apiequality "k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// What the API server makes up when it stores an object.
const (
	MadeUpUID             = types.UID("11111111-1111-4111-8111-111111111111")
	MadeUpResourceVersion = "1"
)

// madeUpTime is when objects are created.
func madeUpTime() metav1.Time { return metav1.Unix(0, 0) }

// Address gives an object the namespace of a request, unless it says one itself, and takes it
// from an object of the whole cluster (EnsureObjectNamespaceMatchesRequestNamespace of
// k8s.io/apiserver/pkg/registry/rest).
func Address(object metav1.Object, namespaced bool, namespace string) {
	switch {
	case !namespaced && object.GetNamespace() != "":
		object.SetNamespace("")
	case namespaced && object.GetNamespace() == "" && namespace != "":
		object.SetNamespace(namespace)
	}
}

// PrepareCreate prepares a new object: the handler of the request erases what only the system
// sets (WipeObjectMetaSystemFields), and the storage makes up a uid and the time of creation
// (FillObjectMetaSystemFields).
func PrepareCreate(object metav1.Object, namespaced bool) {
	Address(object, namespaced, "")
	object.SetDeletionTimestamp(nil)
	object.SetDeletionGracePeriodSeconds(nil)
	object.SetUID(MadeUpUID)
	object.SetCreationTimestamp(madeUpTime())
	distinctOwners(object)
}

// PrepareUpdate prepares the new object of an update with what it has from the stored one, see
// Store (BeforeUpdate of k8s.io/apiserver/pkg/registry/rest). If updates may be unconditional,
// one without a resourceVersion has that of the stored object.
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

// Store gives an object what each one in the storage has and cases leave out.
func Store(object metav1.Object, namespaced bool) {
	Address(object, namespaced, "")
	Fill(object)
	if object.GetResourceVersion() == "" {
		object.SetResourceVersion(MadeUpResourceVersion)
	}
}

// Fill gives an object the uid and the time of creation that it does not have.
func Fill(object metav1.Object) {
	if object.GetUID() == "" {
		object.SetUID(MadeUpUID)
	}
	if since := object.GetCreationTimestamp(); since.IsZero() {
		object.SetCreationTimestamp(madeUpTime())
	}
}

// distinctOwners drops owners that are named twice (dedupOwnerReferences of
// k8s.io/apiserver/pkg/endpoints/handlers).
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

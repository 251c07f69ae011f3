package registry

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"

	"github.com/diffrun/diffrun/internal/objectmeta"
)

// complete returns copies of typed objects with the fields that the API server generates and the test left
// out: a uid, the creation time, the name for generateName, and on updates the fields kept from the old
// object. An old object without a name gets that of the new one.
func (s *served) complete(object, old any) (any, any, error) {
	given, isObject := object.(runtime.Object)
	if !isObject {
		return object, old, nil // a part has no metadata of its own
	}
	if err := s.kind.owns(given); err != nil {
		return nil, nil, err
	}
	completed := given.DeepCopyObject()
	if old == nil && !s.kind.stored() {
		return completed, nil, nil
	}
	if old == nil {
		objectmeta.Fill(accessor(completed))
		objectmeta.GenerateName(accessor(completed))
		return completed, nil, nil
	}
	stored := old.(runtime.Object).DeepCopyObject()
	objectmeta.NameLike(accessor(stored), accessor(completed))
	objectmeta.Fill(accessor(stored))
	fillFromOld(completed, stored, s.kind.strategies[""].AllowUnconditionalUpdate(context.Background()))
	return completed, stored, nil
}

// fillFromOld copies metadata that the new object of an update leaves unset from the old one, and
// sets the resourceVersion that every stored object has. A new object without one is an
// unconditional update where the kind allows that.
func fillFromOld(object, old runtime.Object, unconditional bool) {
	newMeta, oldMeta := accessor(object), accessor(old)
	if oldMeta.GetResourceVersion() == "" {
		oldMeta.SetResourceVersion(objectmeta.MadeUpResourceVersion)
	}
	if newMeta.GetResourceVersion() == "" && unconditional {
		newMeta.SetResourceVersion(oldMeta.GetResourceVersion())
	}
	if newMeta.GetUID() == "" {
		newMeta.SetUID(oldMeta.GetUID())
	}
	if newMeta.GetGeneration() == 0 {
		newMeta.SetGeneration(oldMeta.GetGeneration())
	}
	if since := newMeta.GetCreationTimestamp(); since.IsZero() {
		newMeta.SetCreationTimestamp(oldMeta.GetCreationTimestamp())
	}
	if newMeta.GetDeletionTimestamp().IsZero() {
		newMeta.SetDeletionTimestamp(oldMeta.GetDeletionTimestamp())
	}
	if newMeta.GetDeletionGracePeriodSeconds() == nil {
		newMeta.SetDeletionGracePeriodSeconds(oldMeta.GetDeletionGracePeriodSeconds())
	}
}

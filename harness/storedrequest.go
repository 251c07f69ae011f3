package harness

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/objectmeta"
)

// onStored returns the case of a request on a stored object of another case.
func onStored(s words.StoredRequest, of *Case, document map[string]any) Case {
	object, old := onObject(s, document, func(document map[string]any, change func(metav1.Object)) map[string]any {
		return objectmeta.Change(document, func(o *unstructured.Unstructured) { change(o) })
	})
	return storedCase(s, of, object, old)
}

// storedCase returns the case of a request with an object and the stored one.
func storedCase(s words.StoredRequest, of *Case, object, old any) Case {
	c := Case{
		ID: of.ID + " (" + string(s) + ")", Source: of.Source, Number: of.Number, Version: of.Version, Object: object, Old: old,
		ExactNumbers: of.ExactNumbers, Cluster: of.Cluster, User: of.User, stored: s,
		Why: "the object is stored; " + string(s),
	}
	switch s {
	case words.StatusUpdate:
		c.Subresource = statusName
	case words.Deletion:
		c.Old, c.Deletes = nil, true
	}
	return c
}

// onObject returns the object of a request on a stored object, and the stored one. changed returns a changed
// copy of an object.
func onObject[Object any](s words.StoredRequest, object Object, changed func(Object, func(metav1.Object)) Object) (sent, stored Object) {
	return changeOf(s, changed(object, func(o metav1.Object) {
		if o.GetResourceVersion() == "" {
			o.SetResourceVersion("1")
		}
		if o.GetName() == "" && o.GetGenerateName() != "" {
			o.SetName(objectmeta.GeneratedName(o.GetGenerateName()))
		}
	}), changed)
}

// changeOf returns the object of a request and the stored one, of an object that a cluster has. Both differ from that at most
// in labels, finalizers and the time of deletion.
func changeOf[Object any](s words.StoredRequest, stored Object, changed func(Object, func(metav1.Object)) Object) (sent, before Object) {
	switch s {
	case words.LabelChange:
		return changed(stored, func(o metav1.Object) {
			labels := maps.Clone(o.GetLabels())
			if labels == nil {
				labels = map[string]string{}
			}
			labels["changed"] = "yes"
			o.SetLabels(labels)
		}), stored
	case words.FinalizerRemoval:
		stored = changed(stored, func(o metav1.Object) {
			deleted := deletedAt
			o.SetDeletionTimestamp(&deleted)
			o.SetDeletionGracePeriodSeconds(new(int64))
			if len(o.GetFinalizers()) == 0 {
				o.SetFinalizers([]string{"example.com/held"})
			}
		})
		return changed(stored, func(o metav1.Object) { o.SetFinalizers(nil) }), stored
	}
	return stored, stored
}

// OnStored returns the sentence of a result about stored objects: which requests only the schema side
// refuses, or that ratcheting keeps them editable. It is empty if there is nothing to say.
func (r *Result) OnStored() string {
	switch {
	case len(r.Stuck) > 0:
		names := make([]string, len(r.Stuck))
		for i, request := range r.Stuck {
			names[i] = string(request)
		}
		return "refused once the object is stored: " + strings.Join(names, ", ")
	case r.Effect == words.Stuck:
		return "refused once the object is stored: " + string(r.Stored)
	case r.Ratcheted && r.Effect == words.Refuses:
		return "a stored object stays editable: ratcheting accepts what an update does not change"
	}
	return ""
}

// deletedAt is when an object was deleted that waits for its finalizers, in the zone in which it is decoded.
var deletedAt = metav1.NewTime(time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC).Local())

// storedRequestOf returns the request that an input is; empty: it changes more of the object than a
// stored one must survive.
func storedRequestOf(c *Case, in *Input) words.StoredRequest {
	switch {
	case c.stored != "":
		return c.stored
	case in.Operation == admissionv1.Delete:
		return words.Deletion
	case in.Operation != admissionv1.Update || in.Subresource != "" && in.Subresource != statusName || in.Part != "":
		return ""
	}
	object, old, err := contract.Read(in, (*contract.View).Unstructured)
	if err != nil {
		return ""
	}
	rest, finalizers := withoutBookkeeping(object)
	before, finalizersBefore := withoutBookkeeping(old)
	switch {
	case !reflect.DeepEqual(rest, before):
		return ""
	case in.Subresource != "":
		return words.StatusUpdate
	case len(finalizers) == 0 && len(finalizersBefore) > 0:
		return words.FinalizerRemoval
	case slices.Equal(finalizers, finalizersBefore):
		return words.NoOpUpdate
	}
	return ""
}

// withoutBookkeeping returns a document without the metadata that the server sets itself, and its
// finalizers apart.
func withoutBookkeeping(document map[string]any) (rest map[string]any, finalizers []string) {
	rest = objectmeta.Change(document, func(o *unstructured.Unstructured) {
		finalizers = o.GetFinalizers()
		for _, name := range append([]string{"finalizers"}, bookkeeping...) {
			unstructured.RemoveNestedField(o.Object, "metadata", name)
		}
	})
	return rest, finalizers
}

package objectmeta_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/diffrun/diffrun/internal/objectmeta"
)

// strategy accepts everything, so only the API server's own steps for every object have an effect.
type strategy struct {
	runtime.ObjectTyper
	rest.RESTUpdateStrategy
	namespaced bool
}

func (s strategy) NamespaceScoped() bool                                          { return s.namespaced }
func (strategy) PrepareForUpdate(context.Context, runtime.Object, runtime.Object) {}
func (strategy) ValidateUpdate(context.Context, runtime.Object, runtime.Object) field.ErrorList {
	return nil
}
func (strategy) WarningsOnUpdate(context.Context, runtime.Object, runtime.Object) []string {
	return nil
}
func (strategy) Canonicalize(runtime.Object) {}
func (s strategy) ObjectKinds(object runtime.Object) ([]schema.GroupVersionKind, bool, error) {
	return s.ObjectTyper.ObjectKinds(object)
}
func (s strategy) Recognizes(kind schema.GroupVersionKind) bool {
	return s.ObjectTyper.Recognizes(kind)
}

func seconds(n int64) *int64 { return &n }

func at(unix int64) *metav1.Time {
	time := metav1.Unix(unix, 0)
	return &time
}

// sent returns metadata as clients write it.
func sent() []struct {
	why  string
	meta metav1.ObjectMeta
} {
	owner := metav1.OwnerReference{APIVersion: "v1", Kind: "Pod", Name: "b", UID: "b"}
	return []struct {
		why  string
		meta metav1.ObjectMeta
	}{
		{"nothing", metav1.ObjectMeta{Name: "a"}},
		{"fields that users set", metav1.ObjectMeta{
			Name:            "a",
			Namespace:       "shop",
			Labels:          map[string]string{"a": "b"},
			Finalizers:      []string{"example.com/a"},
			OwnerReferences: []metav1.OwnerReference{owner},
		}},
		{"fields that only the system sets", metav1.ObjectMeta{
			Name:                       "a",
			Namespace:                  "shop",
			UID:                        "mine",
			Generation:                 7,
			CreationTimestamp:          *at(7),
			DeletionTimestamp:          at(8),
			DeletionGracePeriodSeconds: seconds(9),
		}},
		{"an old generation", metav1.ObjectMeta{Name: "a", Namespace: "shop", UID: "stored", Generation: 1}},
	}
}

// TestPrepareCreate compares the metadata of a new object with upstream's functions, in the order in which
// the handler and the storage of a create call them.
func TestPrepareCreate(t *testing.T) {
	for _, namespaced := range []bool{true, false} {
		for _, tt := range sent() {
			want := tt.meta.DeepCopy()
			rest.WipeObjectMetaSystemFields(want)
			if err := rest.EnsureObjectNamespaceMatchesRequestNamespace(rest.ExpectedNamespaceForScope(tt.meta.Namespace, namespaced),
				want); err != nil {
				t.Fatal(err)
			}
			rest.FillObjectMetaSystemFields(want)
			got := tt.meta.DeepCopy()
			objectmeta.PrepareCreate(got, namespaced)
			if got.UID == "" || got.CreationTimestamp.IsZero() {
				t.Errorf("%s: nothing is made up: %v", tt.why, got)
			}
			want.UID, want.CreationTimestamp = got.UID, got.CreationTimestamp // upstream's differ each time
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("%s, namespaced: %t (-upstream +ours):\n%s", tt.why, namespaced, diff)
			}
		}
	}
}

// TestPrepareUpdate compares the metadata of an update with upstream's BeforeUpdate.
func TestPrepareUpdate(t *testing.T) {
	stored := metav1.ObjectMeta{Name: "a", Namespace: "shop", UID: "stored", ResourceVersion: "5", Generation: 3, CreationTimestamp: *at(1)}
	deleted := *stored.DeepCopy()
	deleted.DeletionTimestamp, deleted.DeletionGracePeriodSeconds = at(2), seconds(30)
	compared := 0
	for _, old := range []metav1.ObjectMeta{stored, deleted} {
		for _, tt := range sent() {
			want := &corev1.Pod{ObjectMeta: *tt.meta.DeepCopy()}
			want.Namespace, want.ResourceVersion = "shop", "5"
			got := want.ObjectMeta.DeepCopy()
			ctx := genericapirequest.WithNamespace(t.Context(), "shop")
			if err := rest.BeforeUpdate(strategy{ObjectTyper: scheme.Scheme, namespaced: true}, ctx, want,
				&corev1.Pod{ObjectMeta: old}); err != nil {
				continue // changes of immutable fields: upstream ends before, or after, it fills in the other fields
			}
			compared++
			objectmeta.PrepareUpdate(got, &old, true, false)
			if diff := cmp.Diff(&want.ObjectMeta, got); diff != "" {
				t.Errorf("%s (-upstream +ours):\n%s", tt.why, diff)
			}
		}
	}
	if compared < 4 {
		t.Errorf("only %d updates were compared", compared)
	}
}

func TestStore(t *testing.T) {
	for _, tt := range []struct {
		why       string
		old, want metav1.ObjectMeta
	}{
		{"fields that a case leaves out", metav1.ObjectMeta{Name: "a", Namespace: "shop"},
			metav1.ObjectMeta{Name: "a", UID: objectmeta.MadeUpUID, ResourceVersion: objectmeta.MadeUpResourceVersion,
				CreationTimestamp: *at(0)}},
		{"fields that it sets stay", metav1.ObjectMeta{
			UID:               "b",
			ResourceVersion:   "7",
			CreationTimestamp: *at(3),
			DeletionTimestamp: at(4),
		}, metav1.ObjectMeta{UID: "b", ResourceVersion: "7", CreationTimestamp: *at(3), DeletionTimestamp: at(4)}},
	} {
		objectmeta.Store(&tt.old, false)
		if diff := cmp.Diff(tt.want, tt.old); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.why, diff)
		}
	}
}

// TestDistinctOwners: handlers drop duplicate owners, in documents too.
func TestDistinctOwners(t *testing.T) {
	owner := func(name string) any {
		return map[string]any{"apiVersion": "v1", "kind": "Pod", "name": name, "uid": "1", "controller": true}
	}
	document := map[string]any{"metadata": map[string]any{"name": "a", "ownerReferences": []any{owner("a"), owner("a"), owner("b")}}}
	before := runtime.DeepCopyJSON(document)
	changed := objectmeta.Change(document, func(metadata *unstructured.Unstructured) { objectmeta.PrepareCreate(metadata, true) })
	if diff := cmp.Diff(before, document); diff != "" {
		t.Errorf("the document was changed:\n%s", diff)
	}
	if diff := cmp.Diff([]any{owner("a"), owner("b")}, changed["metadata"].(map[string]any)["ownerReferences"]); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// TestChangeLeavesUnreadable: validation reports metadata that cannot be decoded.
func TestChangeLeavesUnreadable(t *testing.T) {
	for _, tt := range []struct {
		why      string
		metadata any
		readable bool
	}{
		{"text", "x", false},
		{"a name that is a number", map[string]any{"name": int64(1)}, false},
		{"a generation that is text", map[string]any{"generation": "1"}, false},
		{"an invalid time", map[string]any{"creationTimestamp": "noon"}, false},
		{"owners that are no list", map[string]any{"ownerReferences": "x"}, false},
		{"null", map[string]any{"name": nil, "creationTimestamp": nil}, true},
		{"nothing", nil, true},
		{"a field that is not read here", map[string]any{"labels": "x"}, true},
	} {
		changed := objectmeta.Change(map[string]any{"metadata": tt.metadata}, func(metadata *unstructured.Unstructured) {
			metadata.SetName("changed")
		})
		metadata, _ := changed["metadata"].(map[string]any)
		if got := metadata["name"] == "changed"; got != tt.readable {
			t.Errorf("%s: changed: %t, want %t", tt.why, got, tt.readable)
		}
	}
}

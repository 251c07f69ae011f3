package kubernetes

import (
	"fmt"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/utils/ptr"

	"github.com/diffrun/diffrun/harness"
)

// Convert gives an object in a version. What the version cannot hold is found
// by converting back: an object that is not what it was is inexpressible.
func (s *kindScheme) Convert(object any, version schema.GroupVersionKind) (any, error) {
	if ready, isPrepared := object.(prepared); isPrepared {
		object = ready.hub
	}
	given, isObject := object.(runtime.Object)
	if !isObject {
		return nil, fmt.Errorf("a %T is not a Kubernetes object; give a document or a typed object of %s", object, s.kind.GroupKind)
	}
	hub, err := s.kind.hub(given.DeepCopyObject())
	if err != nil {
		return nil, err
	}
	versioned, err := legacyscheme.Scheme.New(version)
	if err != nil {
		return nil, err
	}
	if err := legacyscheme.Scheme.Convert(hub.DeepCopyObject(), versioned, nil); err != nil {
		return nil, &harness.InexpressibleError{Version: version, Reason: err.Error()}
	}
	back, err := s.kind.hub(versioned.DeepCopyObject())
	if err != nil {
		return nil, &harness.InexpressibleError{Version: version, Reason: err.Error()}
	}
	if lost := lostFields(hub, back); len(lost) > 0 {
		return nil, &harness.InexpressibleError{Version: version, Reason: "conversion there and back changes " + strings.Join(lost, ", ")}
	}
	versioned.GetObjectKind().SetGroupVersionKind(version)
	return versioned, nil
}

// lostFields names the fields of the hub type in which two objects differ,
// sorted as the type declares them.
func lostFields(before, after runtime.Object) []string {
	if apiequality.Semantic.DeepEqual(before, after) {
		return nil
	}
	var lost fieldsReporter
	cmp.Equal(before, after, cmp.Reporter(&lost), cmpopts.EquateEmpty(), unsetStatus(),
		cmp.Comparer(func(a, b metav1.Time) bool { return a.Equal(&b) }))
	return lost.fields
}

// unsetStatus lets a number in status that is not set equal one that is zero.
// apps/v1 cannot leave a StatefulSet's observedGeneration unset, and every new
// object has it so; what the server fills in says nothing about the case.
func unsetStatus() cmp.Option {
	inStatus := func(path cmp.Path) bool { return strings.HasPrefix(path.String(), "Status.") }
	return cmp.FilterPath(inStatus, cmp.Comparer(func(a, b *int64) bool {
		return ptr.Deref(a, 0) == ptr.Deref(b, 0)
	}))
}

// fieldsReporter collects the paths of unequal fields from go-cmp.
type fieldsReporter struct {
	path   cmp.Path
	fields []string
}

func (r *fieldsReporter) PushStep(step cmp.PathStep) { r.path = append(r.path, step) }
func (r *fieldsReporter) PopStep()                   { r.path = r.path[:len(r.path)-1] }

func (r *fieldsReporter) Report(result cmp.Result) {
	if !result.Equal() {
		r.fields = append(r.fields, strings.TrimPrefix(r.path.String(), "."))
	}
}

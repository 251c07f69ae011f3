package kubernetes

import (
	"encoding/json"
	"reflect"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/utils/ptr"

	"github.com/diffrun/diffrun/harness"
)

// Convert gives an object in a version. What the version cannot hold is found
// by converting back: an object that is not what it was is inexpressible. A part of the kind
// is converted inside an object that has nothing else.
func (s *kindScheme) Convert(object any, version schema.GroupVersionKind) (any, error) {
	if ready, isPrepared := object.(prepared); isPrepared {
		object = ready.hub
	}
	given, isObject := object.(runtime.Object)
	if !isObject {
		return s.convertPart(object, version)
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

// lostFields names the fields of the hub type that conversion there and back loses, sorted
// as the type declares them. Values are compared as the API server compares objects
// (apiequality.Semantic), to which nil and empty are the same.
func lostFields(before, after runtime.Object) []string {
	if apiequality.Semantic.DeepEqual(before, after) {
		return nil
	}
	options := cmp.Options{cmpopts.EquateEmpty(), unsetStatus()}
	for _, equal := range apiequality.Semantic.Equalities {
		options = append(options, cmp.Comparer(equal.Interface()))
	}
	var lost fieldsReporter
	cmp.Equal(before, after, cmp.Reporter(&lost), options)
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

// fieldsReporter collects the paths of fields that got lost from go-cmp.
type fieldsReporter struct {
	path   cmp.Path
	fields []string
}

func (r *fieldsReporter) PushStep(step cmp.PathStep) { r.path = append(r.path, step) }
func (r *fieldsReporter) PopStep()                   { r.path = r.path[:len(r.path)-1] }

func (r *fieldsReporter) Report(result cmp.Result) {
	if !result.Equal() && !madeEmpty(r.path.Last().Values()) {
		r.fields = append(r.fields, strings.TrimPrefix(r.path.String(), "."))
	}
}

// madeEmpty says that conversion made an empty struct where there was none, as it does with
// the security context of a pod. Whoever sends the object in this version sends no such
// struct, and the API server makes the same one before it validates: nothing is lost. The
// reverse is a loss, because an empty struct can say something (emptyDir: {}), and so is a
// struct that is a single value in JSON: a quantity of zero is not none.
func madeEmpty(before, after reflect.Value) bool {
	if !before.IsValid() || !after.IsValid() || before.Kind() != reflect.Pointer || !before.IsNil() || after.Elem().Kind() != reflect.Struct {
		return false
	}
	if _, isValue := after.Interface().(json.Marshaler); isValue {
		return false
	}
	return apiequality.Semantic.DeepEqual(after.Elem().Interface(), reflect.Zero(after.Type().Elem()).Interface())
}

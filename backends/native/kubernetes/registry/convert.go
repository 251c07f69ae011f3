package registry

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/utils/ptr"

	"github.com/diffrun/diffrun/harness/contract"
)

// ConvertTyped returns an object in a version. Converting back finds fields that the version cannot
// hold: an object that changes is inexpressible. A part of the kind is converted inside an
// otherwise empty object.
func (s *served) ConvertTyped(object any, version schema.GroupVersionKind) (any, error) {
	given, isObject := object.(runtime.Object)
	if !isObject {
		return s.convertPart(object, version)
	}
	hub, err := s.readHub(given)
	if err != nil {
		return nil, err
	}
	versioned, err := toVersion(hub, version)
	if err != nil {
		return nil, &contract.InexpressibleError{Version: version, Reason: err.Error()}
	}
	back, err := s.hub(versioned.DeepCopyObject())
	if err != nil {
		return nil, &contract.InexpressibleError{Version: version, Reason: err.Error()}
	}
	if lost := lostFields(hub, back); len(lost) > 0 {
		return nil, &contract.InexpressibleError{Version: version, Reason: "conversion there and back changes " + strings.Join(lost, ", ")}
	}
	return versioned, nil
}

// toVersion returns a copy of an object of the hub type in a version.
func toVersion(hub runtime.Object, version schema.GroupVersionKind) (runtime.Object, error) {
	versioned, err := legacyscheme.Scheme.New(version)
	if err != nil {
		return nil, err
	}
	err = legacyscheme.Scheme.Convert(hub.DeepCopyObject(), versioned, nil)
	versioned.GetObjectKind().SetGroupVersionKind(version)
	return versioned, err
}

// hub converts an object to the internal type. The result may share memory with the input, so the
// input must be the caller's own copy.
func (k kind) hub(versioned runtime.Object) (runtime.Object, error) {
	if err := k.owns(versioned); err != nil {
		return nil, err
	}
	hub := k.internal()
	if err := legacyscheme.Scheme.Convert(versioned, hub, nil); err != nil {
		return nil, fmt.Errorf("converting %T to the internal version: %w", versioned, err)
	}
	return hub, nil
}

// readHub returns an object of the internal type that the caller only reads: the object itself if it is of that
// type, for which a conversion is a copy.
func (k kind) readHub(object runtime.Object) (runtime.Object, error) {
	if reflect.TypeOf(object) == reflect.TypeOf(k.internal()) {
		return object, nil
	}
	return k.hub(object.DeepCopyObject())
}

// owns returns an error unless an object is of the kind, in any version.
func (k kind) owns(object runtime.Object) error {
	known, _, err := legacyscheme.Scheme.ObjectKinds(object)
	if err == nil && slices.ContainsFunc(known, func(of schema.GroupVersionKind) bool { return of.Kind == k.Kind }) {
		return nil
	}
	return fmt.Errorf("a %T is not a %s; use an object of the kind, or of a part of it", object, k.GroupKind)
}

// lostFields returns the fields of the hub type that a conversion there and back loses, in
// declaration order. Values are compared as the API server compares objects (apiequality.Semantic),
// so nil equals empty. It changes the object after the conversion.
func lostFields(before, after runtime.Object) []string {
	takeOutMade(reflect.ValueOf(before), reflect.ValueOf(after), false)
	if len(changedFields(before, after)) == 0 {
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

// changedFields returns the fields of two objects of one Go type that differ by apiequality.Semantic. Fields
// that are the same in memory, as most are, take a third of its time.
func changedFields(before, after runtime.Object) (changed []reflect.StructField) {
	a, b := reflect.ValueOf(before).Elem(), reflect.ValueOf(after).Elem()
	for i := range a.NumField() {
		x, y := a.Field(i).Interface(), b.Field(i).Interface()
		if !reflect.DeepEqual(x, y) && !apiequality.Semantic.DeepEqual(x, y) {
			changed = append(changed, a.Type().Field(i))
		}
	}
	return changed
}

// unsetStatus treats an unset number in status as zero. apps/v1 cannot leave a StatefulSet's
// observedGeneration unset, as every new object has it. The server fills these fields in, so they
// are not part of the case.
func unsetStatus() cmp.Option {
	inStatus := func(path cmp.Path) bool { return strings.HasPrefix(path.String(), "Status.") }
	return cmp.FilterPath(inStatus, cmp.Comparer(func(a, b *int64) bool {
		return ptr.Deref(a, 0) == ptr.Deref(b, 0)
	}))
}

// fieldsReporter collects the paths of lost fields from go-cmp.
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

// takeOutMade takes out the empty structs that conversion made, and the zeros in a status, except for those
// in lists and maps: almost every object has one, and go-cmp is several times as slow as DeepEqual.
func takeOutMade(before, after reflect.Value, inStatus bool) {
	switch before.Kind() {
	case reflect.Pointer:
		switch {
		case !before.IsNil() && !after.IsNil():
			takeOutMade(before.Elem(), after.Elem(), inStatus)
		case !after.IsNil() && after.CanSet() && (madeEmpty(before, after) || inStatus && after.Elem().Kind() == reflect.Int64 &&
			after.Elem().IsZero()):
			after.SetZero()
		}
	case reflect.Struct:
		for i := range before.NumField() {
			takeOutMade(before.Field(i), after.Field(i), inStatus || before.Type().Field(i).Name == "Status")
		}
	}
}

// madeEmpty reports whether conversion made an empty struct from nil, as it does with the security
// context of a pod. Clients of this version send no such struct, and the API server makes the same
// one before it validates, so nothing is lost. The reverse is a loss, because an empty struct can
// have a meaning (emptyDir: {}), and so is a struct that is a single value in JSON: a zero quantity
// differs from none.
func madeEmpty(before, after reflect.Value) bool {
	if !before.IsValid() || !after.IsValid() || before.Kind() != reflect.Pointer || !before.IsNil() ||
		after.Elem().Kind() != reflect.Struct {
		return false
	}
	if _, isValue := after.Interface().(json.Marshaler); isValue {
		return false
	}
	return apiequality.Semantic.DeepEqual(after.Elem().Interface(), reflect.Zero(after.Type().Elem()).Interface())
}

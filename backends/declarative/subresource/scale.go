package subresource

import (
	"fmt"
	"math"
	"slices"
	"strings"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Scale has the paths of a resource whose values an autoscaling/v1 Scale shows, as in
// ".spec.replicas".
type Scale struct {
	SpecReplicasPath   string
	StatusReplicasPath string // empty: it shows none
	LabelSelectorPath  string // empty: it shows none
}

// Conformance chooses between the proposal and today's API server where they differ.
type Conformance uint8

const (
	// AsServed is the API server: replicas may be missing from an object that is not read as a
	// Scale, a selector need only be a string, and the status of a Scale is ignored.
	AsServed Conformance = iota
	// AsProposed is the proposal ("Validation Behavior", "Scale"): replicas are required, the
	// replicas of the status may be any integer, a selector must be valid, and a Scale must not set
	// values without a path.
	AsProposed
)

// values are the values of an object at the paths.
type values struct {
	replicas, statusReplicas int64
	selector                 string
	hasReplicas, hasSelector bool
}

// look reads the paths. The errors, of type Invalid, are those of values that are of
// the wrong type.
func (s *Scale) look(object map[string]any) (v values, inSpec, inStatus field.ErrorList) {
	var err error
	if v.replicas, v.hasReplicas, err = unstructured.NestedInt64(object, steps(s.SpecReplicasPath)...); err != nil {
		inSpec = append(inSpec, field.Invalid(field.NewPath(s.SpecReplicasPath), v.replicas, err.Error()))
	}
	if v.statusReplicas, _, err = unstructured.NestedInt64(object, steps(s.StatusReplicasPath)...); err != nil {
		inStatus = append(inStatus, field.Invalid(field.NewPath(s.StatusReplicasPath), v.statusReplicas, err.Error()))
	}
	if s.LabelSelectorPath == "" {
		return v, inSpec, inStatus
	}
	if v.selector, v.hasSelector, err = unstructured.NestedString(object, steps(s.LabelSelectorPath)...); err != nil {
		inStatus = append(inStatus, field.Invalid(field.NewPath(s.LabelSelectorPath), v.selector, err.Error()))
	}
	return v, inSpec, inStatus
}

// Validate returns the errors of an object at the paths of the scale, of type Invalid or
// Required, for a create or an update of the whole object.
func (s *Scale) Validate(object map[string]any, how Conformance) field.ErrorList {
	v, errs, _ := s.look(object)
	errs = append(errs, outOfRange(s.SpecReplicasPath, v.replicas)...)
	if len(errs) == 0 && !v.hasReplicas && how == AsProposed {
		errs = append(errs, field.Required(field.NewPath(s.SpecReplicasPath), ""))
	}
	return append(errs, s.ValidateStatus(object, how)...)
}

// ValidateStatus is Validate for an update of the status. It ignores the replicas of the
// spec.
func (s *Scale) ValidateStatus(object map[string]any, how Conformance) field.ErrorList {
	v, _, errs := s.look(object)
	switch how {
	case AsServed:
		errs = append(errs, outOfRange(s.StatusReplicasPath, v.statusReplicas)...)
	case AsProposed:
		if _, err := labels.Parse(v.selector); err != nil {
			errs = append(errs, field.Invalid(field.NewPath(s.LabelSelectorPath), v.selector, err.Error()))
		}
	}
	return errs
}

func outOfRange(path string, replicas int64) field.ErrorList {
	switch {
	case replicas < 0:
		return field.ErrorList{field.Invalid(field.NewPath(path), replicas, "should be a non-negative integer")}
	case replicas > math.MaxInt32:
		return field.ErrorList{field.Invalid(field.NewPath(path), replicas,
			fmt.Sprintf("should be less than or equal to %v", math.MaxInt32))}
	}
	return nil
}

// Read returns the Scale of an object. The replicas of the spec are required. The errors include
// those of Validate.
func (s *Scale) Read(object map[string]any, how Conformance) (*autoscalingv1.Scale, field.ErrorList) {
	errs := s.Validate(object, how)
	v, inSpec, _ := s.look(object)
	if how == AsServed && !v.hasReplicas && len(inSpec) == 0 {
		errs = append(errs, field.Required(field.NewPath(s.SpecReplicasPath), "an object without replicas has no scale"))
	}
	if len(errs) > 0 {
		return nil, errs
	}
	return v.scale(object), nil
}

// scale returns the values; missing replicas of the spec are 0.
func (v values) scale(object map[string]any) *autoscalingv1.Scale {
	of := unstructured.Unstructured{Object: object}
	return &autoscalingv1.Scale{
		TypeMeta: metav1.TypeMeta{APIVersion: autoscalingv1.SchemeGroupVersion.String(), Kind: "Scale"},
		ObjectMeta: metav1.ObjectMeta{
			Name: of.GetName(), Namespace: of.GetNamespace(), UID: of.GetUID(),
			ResourceVersion: of.GetResourceVersion(), CreationTimestamp: of.GetCreationTimestamp(),
		},
		Spec:   autoscalingv1.ScaleSpec{Replicas: int32(v.replicas)},
		Status: autoscalingv1.ScaleStatus{Replicas: int32(v.statusReplicas), Selector: v.selector},
	}
}

// Write returns the old object as a PUT of a Scale changes it: with the replicas of the Scale, its
// resourceVersion if it has one, and the next generation if the replicas changed. The rest of the
// Scale is ignored.
//
// The errors report that the object has no scale to write to or, with AsProposed, that the Scale
// sets values without a path. The result is not validated.
func (s *Scale) Write(scale *autoscalingv1.Scale, old map[string]any, how Conformance) (Request, field.ErrorList) {
	v, inSpec, inStatus := s.look(old)
	if errs := slices.Concat(s.unmapped(scale, how), inSpec, inStatus); len(errs) > 0 {
		return Request{}, errs
	}
	written := runtime.DeepCopyJSON(old)
	if err := unstructured.SetNestedField(written, int64(scale.Spec.Replicas), steps(s.SpecReplicasPath)...); err != nil {
		return Request{}, field.ErrorList{field.Invalid(field.NewPath(s.SpecReplicasPath), scale.Spec.Replicas, err.Error())}
	}
	if scale.ResourceVersion != "" {
		of := unstructured.Unstructured{Object: written}
		of.SetResourceVersion(scale.ResourceVersion)
	}
	made := Subresources{}.Update(written, old)
	made.Ignored = ignored(scale, v.scale(old))
	return made, nil
}

// unmapped is what the proposal refuses to write.
func (s *Scale) unmapped(scale *autoscalingv1.Scale, how Conformance) field.ErrorList {
	if how == AsServed {
		return nil
	}
	var errs field.ErrorList
	if s.StatusReplicasPath == "" && scale.Status.Replicas != 0 {
		errs = append(errs, field.Forbidden(field.NewPath("status", "replicas"), "this resource has no statusReplicasPath"))
	}
	if s.LabelSelectorPath == "" && scale.Status.Selector != "" {
		errs = append(errs, field.Forbidden(field.NewPath("status", "selector"), "this resource has no labelSelectorPath"))
	}
	return errs
}

// ignored are the fields of a Scale that differ from the one before and are not
// written.
func ignored(scale, before *autoscalingv1.Scale) []string {
	var documents [2]map[string]any
	for i, of := range []*autoscalingv1.Scale{scale, before} {
		of = of.DeepCopy()
		of.TypeMeta = before.TypeMeta
		document, err := runtime.DefaultUnstructuredConverter.ToUnstructured(of)
		if err != nil {
			panic(fmt.Sprintf("subresource: a Scale is not a document: %v", err)) // it is all plain fields
		}
		documents[i] = document
	}
	return without(changedFields("", documents[0], documents[1]),
		"spec", "spec.replicas", "metadata.resourceVersion", "metadata.uid", "metadata.creationTimestamp", "metadata.managedFields")
}

// steps are the names of a path, whose first dot does not count.
func steps(path string) []string { return strings.Split(strings.TrimPrefix(path, "."), ".") }

package registry

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	autoscalingv1 "k8s.io/api/autoscaling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/apps"
	"k8s.io/kubernetes/pkg/apis/autoscaling"
	autoscalingvalidation "k8s.io/kubernetes/pkg/apis/autoscaling/validation"
	"k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/utils/ptr"

	"github.com/diffrun/diffrun/internal/stages"
)

const scaleName = "scale"

// scalable is the part of an object that its scale shows.
type scalable struct {
	replicas, observed int32
	selector           *metav1.LabelSelector
	set                func(int32)
}

// scaledBy returns the scale of an object of the hub type; false: the kind has none. The storage of
// each kind has a function of its own for this (scaleFromDeployment of
// pkg/registry/apps/deployment/storage, and others).
func scaledBy(object runtime.Object) (scalable, bool) {
	switch of := object.(type) {
	case *apps.Deployment:
		return scalable{of.Spec.Replicas, of.Status.Replicas, of.Spec.Selector, func(n int32) { of.Spec.Replicas = n }}, true
	case *apps.ReplicaSet:
		return scalable{of.Spec.Replicas, of.Status.Replicas, of.Spec.Selector, func(n int32) { of.Spec.Replicas = n }}, true
	case *apps.StatefulSet:
		return scalable{of.Spec.Replicas, of.Status.Replicas, of.Spec.Selector, func(n int32) { of.Spec.Replicas = n }}, true
	case *core.ReplicationController:
		selector := &metav1.LabelSelector{MatchLabels: of.Spec.Selector}
		return scalable{ptr.Deref(of.Spec.Replicas, 0), of.Status.Replicas, selector, func(n int32) { of.Spec.Replicas = &n }}, true
	}
	return scalable{}, false
}

// nameScale sets the name and namespace in the path of a request, which cases may omit.
func nameScale(scale *autoscalingv1.Scale, of metav1.Object) {
	scale.Name, scale.Namespace = cmp.Or(scale.Name, of.GetName()), cmp.Or(scale.Namespace, of.GetNamespace())
}

// scaleOf returns the scale of an object, as a client reads it.
func scaleOf(object runtime.Object) (*autoscalingv1.Scale, error) {
	of, found := scaledBy(object)
	if !found {
		return nil, fmt.Errorf("a %T has no scale", object)
	}
	selector := labels.Nothing()
	if of.selector != nil {
		var err error
		if selector, err = metav1.LabelSelectorAsSelector(of.selector); err != nil {
			return nil, err
		}
	}
	metadata := accessor(object)
	scale := &autoscalingv1.Scale{
		ObjectMeta: metav1.ObjectMeta{
			Name: metadata.GetName(), Namespace: metadata.GetNamespace(), UID: metadata.GetUID(),
			ResourceVersion: metadata.GetResourceVersion(), CreationTimestamp: metadata.GetCreationTimestamp(),
		},
		Spec:   autoscalingv1.ScaleSpec{Replicas: of.replicas},
		Status: autoscalingv1.ScaleStatus{Replicas: of.observed, Selector: selector.String()},
	}
	scale.SetGroupVersionKind(stages.ScaleKind)
	return scale, nil
}

// validateScale returns the errors of a Scale, and its conflict with another revision of the object.
func validateScale(ctx context.Context, scale *autoscalingv1.Scale, old runtime.Object) field.ErrorList {
	if errs := stages.Conflict(scale.ResourceVersion, accessor(old).GetResourceVersion()); len(errs) > 0 {
		return errs
	}
	before, err := scaleOf(old)
	if err != nil {
		return field.ErrorList{notDecoded(err)}
	}
	hub, oldHub := &autoscaling.Scale{}, &autoscaling.Scale{}
	if err := errors.Join(legacyscheme.Scheme.Convert(scale, hub, nil), legacyscheme.Scheme.Convert(before, oldHub, nil)); err != nil {
		return field.ErrorList{notDecoded(err)}
	}
	return autoscalingvalidation.ValidateScaleUpdate(ctx, hub, oldHub, legacyscheme.Scheme, scaleVersion{})
}

// scaleVersion implements rest.GroupVersionKindProvider: requests to any kind have a Scale of autoscaling/v1.
type scaleVersion struct{}

// GroupVersionKind returns the kind of the Scale.
func (scaleVersion) GroupVersionKind(schema.GroupVersion) schema.GroupVersionKind {
	return stages.ScaleKind
}

// scaled returns a copy of an object with other replicas.
func scaled(object runtime.Object, replicas int32) runtime.Object {
	changed := object.DeepCopyObject()
	of, _ := scaledBy(changed)
	of.set(replicas)
	return changed
}

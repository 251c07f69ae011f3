package constructs

import (
	"maps"
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// DeepCopy returns a copy that shares nothing that validators change.
func (s *Spec) DeepCopy() *Spec {
	made := *s
	made.Items = slices.Clone(s.Items)
	made.Keyed = slices.Clone(s.Keyed)
	made.Labels = maps.Clone(s.Labels)
	if s.Network != nil {
		network := *s.Network
		made.Network = &network
	}
	return &made
}

// ValidateMaskedUpdate compares all fields but some.
func ValidateMaskedUpdate(obj, old *Thing) field.ErrorList {
	masked := obj.Spec.DeepCopy()
	masked.Size = old.Spec.Size
	masked.Owner = old.Spec.Owner
	if obj.Spec.Paused {
		masked.Mode = old.Spec.Mode
	}
	masked.Items, masked.Labels = nil, nil
	before := old.Spec
	before.Items, before.Labels = nil, nil
	if !reflect.DeepEqual(masked, &before) {
		return field.ErrorList{field.Forbidden(spec, "only size, owner, and the mode of paused things can change")}
	}
	return nil
}

// ValidateMaskedItemsUpdate compares all fields of items but some.
func ValidateMaskedItemsUpdate(obj, old *Thing) field.ErrorList {
	masked := obj.Spec.DeepCopy()
	before := map[string]*Item{}
	for i := range old.Spec.Items {
		before[old.Spec.Items[i].Name] = &old.Spec.Items[i]
	}
	if obj.Spec.Paused {
		for i := range obj.Spec.Items {
			was, ok := before[obj.Spec.Items[i].Name]
			if !ok {
				continue
			}
			masked.Items[i].Count = was.Count
			masked.Items[i].Weight = was.Weight
		}
	}
	if !reflect.DeepEqual(masked.Items, old.Spec.Items) {
		return field.ErrorList{field.Forbidden(spec.Child("items"), "only count and weight can change")}
	}
	return nil
}

// ValidateSemanticUpdate compares as the API does: no items are the same as an empty list.
func ValidateSemanticUpdate(obj, old *Thing) field.ErrorList {
	var errs field.ErrorList
	if !equality.Semantic.DeepEqual(obj.Spec.Names, old.Spec.Names) {
		errs = append(errs, field.Forbidden(spec.Child("names"), "cannot change"))
	}
	masked := obj.Spec.DeepCopy()
	masked.Size, masked.Names, masked.Items = old.Spec.Size, old.Spec.Names, old.Spec.Items
	if !equality.Semantic.DeepEqual(masked, &old.Spec) {
		errs = append(errs, field.Forbidden(spec, "only size, names and items can change"))
	}
	return errs
}

// options are set by a function that is given a pointer.
type options struct{ strict, long bool }

func (o *options) fill(obj *Thing) {
	o.long = obj.Spec.Size > 2
	if obj.Spec.Paused {
		o.strict = true
	}
}

func ValidateOptions(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	var o options
	o.fill(obj)
	if o.strict && obj.Spec.Name == "a" {
		errs = append(errs, field.Forbidden(spec.Child("name"), "strict"))
	}
	if !o.long && obj.Spec.Other == "b" {
		errs = append(errs, field.Forbidden(spec.Child("otherName"), "not long"))
	}
	return errs
}

// DeepCopyObject makes a thing one that decoders accept.
func (t *Thing) DeepCopyObject() runtime.Object {
	made := *t
	made.Spec = *t.Spec.DeepCopy()
	return &made
}

// DeepCopy returns a copy, or nil.
func (n *Network) DeepCopy() *Network {
	if n == nil {
		return nil
	}
	made := *n
	return &made
}

// ValidateCopyOfNil copies a pointer that may be nil.
func ValidateCopyOfNil(obj *Thing) field.ErrorList {
	network := obj.Spec.Network.DeepCopy()
	if network == nil {
		return field.ErrorList{field.Required(spec.Child("network"), "")}
	}
	network.Port = 1
	if network.Host == "a" {
		return field.ErrorList{field.Invalid(spec.Child("network", "host"), "a", "must not be a")}
	}
	return nil
}

// ValidateDefaulted sets what is not there in a copy, as a webhook before the validator does.
func ValidateDefaulted(obj *Thing) field.ErrorList {
	made := obj.Spec.DeepCopy()
	if made.Network == nil {
		made.Network = &Network{Port: 3}
	}
	if made.Mode == "" {
		made.Mode = Fast
	}
	if made.Network.Port == 3 && made.Mode == Fast {
		return field.ErrorList{field.Invalid(spec.Child("network", "port"), 3, "must not be 3 if fast")}
	}
	return nil
}

func (s *Spec) setDefaults() {
	if s.Replicas == 0 {
		s.Replicas = 1
	}
}

// ValidateDefaultedByMethod has a method that sets what is not there in the copy.
func ValidateDefaultedByMethod(obj *Thing) field.ErrorList {
	made := obj.Spec.DeepCopy()
	made.setDefaults()
	if made.Replicas == 1 && made.Paused {
		return field.ErrorList{field.Invalid(spec.Child("replicas"), 1, "must not be one if paused")}
	}
	return nil
}

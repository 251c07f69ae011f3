package constructs

import (
	"reflect"

	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

func ValidateImmutableUpdate(obj, old *Thing) field.ErrorList {
	errs := validation.ValidateImmutableField(obj.Spec.Mode, old.Spec.Mode, spec.Child("mode"))
	if old.Spec.Name != "" && obj.Spec.Name != old.Spec.Name {
		errs = append(errs, field.Forbidden(spec.Child("name"), "cannot change once set"))
	}
	if !reflect.DeepEqual(obj.Spec.Limit, old.Spec.Limit) {
		errs = append(errs, field.Forbidden(spec.Child("limit"), "cannot change"))
	}
	return errs
}

func ValidateRemovedUpdate(obj, old *Thing) field.ErrorList {
	var errs field.ErrorList
	before := map[string]Item{}
	for _, item := range old.Spec.Items {
		before[item.Name] = item
	}
	for i, item := range obj.Spec.Items {
		was, ok := before[item.Name]
		if !ok {
			errs = append(errs, field.Forbidden(spec.Child("items").Index(i), "is new"))
			continue
		}
		if item.Count < was.Count {
			errs = append(errs, field.Invalid(spec.Child("items").Index(i).Child("count"), item.Count, "must not shrink"))
		}
	}
	return errs
}

// ValidateKeyedUpdate looks for an item by its key, which no other one has.
func ValidateKeyedUpdate(obj, old *Thing) field.ErrorList {
	var errs field.ErrorList
	before := map[string]Item{}
	for _, item := range old.Spec.Keyed {
		before[item.Name] = item
	}
	for i, item := range obj.Spec.Items {
		if was, ok := before[item.Name]; ok && item.Count < was.Count {
			errs = append(errs, field.Invalid(spec.Child("items").Index(i).Child("count"), item.Count, "must not shrink"))
		}
	}
	return errs
}

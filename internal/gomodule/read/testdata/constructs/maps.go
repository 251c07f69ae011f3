package constructs

import (
	"maps"
	"slices"
	"sort"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

func note(seen map[string]bool, name string) { seen[name] = true }

// ValidateMapFilledByFunction has a function that puts something into a map of the caller.
func ValidateMapFilledByFunction(obj *Thing) field.ErrorList {
	seen := map[string]bool{}
	note(seen, obj.Spec.Name)
	if seen["a"] {
		return field.ErrorList{field.Invalid(spec.Child("name"), obj.Spec.Name, "must not be a")}
	}
	return nil
}

// ValidateMapAlias has a second variable for a map.
func ValidateMapAlias(obj *Thing) field.ErrorList {
	seen := map[string]bool{}
	same := seen
	for _, name := range obj.Spec.Names {
		same[name] = true
	}
	if seen["b"] {
		return field.ErrorList{field.Invalid(spec.Child("names"), nil, "must not have b")}
	}
	return nil
}

// ValidateMapOfFalse puts values into a map that are not always true.
func ValidateMapOfFalse(obj *Thing) field.ErrorList {
	large := map[string]bool{}
	for _, item := range obj.Spec.Keyed {
		large[item.Name] = item.Count > 1
	}
	if !large[obj.Spec.Name] {
		return field.ErrorList{field.Invalid(spec.Child("name"), obj.Spec.Name, "must be that of a large item")}
	}
	return nil
}

// ValidateLastOfEqualKeys has keys that repeat: the last one counts.
func ValidateLastOfEqualKeys(obj *Thing) field.ErrorList {
	counts := map[string]int32{}
	for _, item := range obj.Spec.Items {
		counts[item.Name] = item.Count
	}
	if counts["a"] > 1 {
		return field.ErrorList{field.Invalid(spec.Child("items"), counts["a"], "the last a is too large")}
	}
	return nil
}

// ValidateSortedKeys loops over the keys of a map in their order.
func ValidateSortedKeys(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	for _, key := range slices.Sorted(maps.Keys(obj.Spec.Labels)) {
		if key == "a" && obj.Spec.Labels[key] == "" {
			errs = append(errs, field.Required(spec.Child("labels").Key(key), ""))
		}
	}
	return errs
}

// ValidateGatheredKeys gathers the keys first, and sorts them.
func ValidateGatheredKeys(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	var keys []string
	for key := range obj.Spec.Labels {
		keys = append(keys, key)
	}
	sort.Strings(keys)
	for _, key := range keys {
		if key == "b" {
			errs = append(errs, field.Forbidden(spec.Child("labels").Key(key), "must not be b"))
		}
	}
	return errs
}

// ValidateMapOfStructs loops over a map whose values are structs.
func ValidateMapOfStructs(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	for name, peer := range obj.Spec.Peers {
		if name != "" && peer.Host == "" {
			errs = append(errs, field.Required(spec.Child("peers").Key(name).Child("host"), ""))
		}
		if peer.Port < 0 {
			errs = append(errs, field.Invalid(spec.Child("peers").Key(name).Child("port"), peer.Port, "must not be negative"))
		}
	}
	return errs
}

// ValidateMissingKey reads a key that may not be there: it has the zero value.
func ValidateMissingKey(obj *Thing) field.ErrorList {
	if obj.Spec.Peers["a"].Port == 0 {
		return field.ErrorList{field.Required(spec.Child("peers").Key("a").Child("port"), "")}
	}
	return nil
}

// ValidateKeyOfField reads a key that another field has.
func ValidateKeyOfField(obj *Thing) field.ErrorList {
	if _, ok := obj.Spec.Peers[obj.Spec.Name]; !ok && obj.Spec.Name != "" {
		return field.ErrorList{field.NotFound(spec.Child("name"), obj.Spec.Name)}
	}
	return nil
}

// ValidateCopiedMap copies a map before it adds to it.
func ValidateCopiedMap(obj *Thing) field.ErrorList {
	all := map[string]string{"a": ""}
	for key, value := range obj.Spec.Labels {
		all[key] = value
	}
	if all["a"] == "" {
		return field.ErrorList{field.Required(spec.Child("labels").Key("a"), "")}
	}
	return nil
}

// ValidateInterleavedKeys has a loop with two statements that set the same keys to other values.
func ValidateInterleavedKeys(obj *Thing) field.ErrorList {
	kinds := map[string]string{}
	for _, item := range obj.Spec.Items {
		kinds[item.Name] = "item"
		for _, need := range item.Needs {
			kinds[need] = "need"
		}
	}
	if kinds["a"] == "item" {
		return field.ErrorList{field.Invalid(spec.Child("items"), nil, "a must be needed last")}
	}
	return nil
}

package constructs

import (
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

func nameOfMember(group, member int) *field.Path {
	return spec.Child("groups").Index(group).Child("members").Index(member).Child("name")
}

func unique(seen sets.Set[string], name string, path *field.Path) *field.Error {
	if seen.Has(name) {
		return field.Duplicate(path, name)
	}
	seen.Insert(name)
	return nil
}

// ValidateSetPassed has a function that asks a set of the caller and inserts into it, in a loop.
func ValidateSetPassed(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	seen := sets.New[string]()
	for i, item := range obj.Spec.Items {
		if err := unique(seen, item.Name, spec.Child("items").Index(i).Child("name")); err != nil {
			errs = append(errs, err)
		}
	}
	return errs
}

// ValidateUniquePairs has keys of two fields.
func ValidateUniquePairs(obj *Thing) field.ErrorList {
	type key struct {
		name  string
		count int32
	}
	var errs field.ErrorList
	seen := map[key]bool{}
	for i, item := range obj.Spec.Items {
		k := key{item.Name, item.Count}
		if seen[k] {
			errs = append(errs, field.Duplicate(spec.Child("items").Index(i), k))
		}
		seen[k] = true
	}
	return errs
}

// ValidateUniqueInGroups has names that are unique in all groups together.
func ValidateUniqueInGroups(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	seen := sets.New[string]()
	for i, group := range obj.Spec.Groups {
		for j, member := range group.Members {
			if seen.Has(member.Name) {
				errs = append(errs, field.Duplicate(nameOfMember(i, j), member.Name))
			}
			seen.Insert(member.Name)
		}
	}
	return errs
}

// ValidateUniqueInGroup has names that are unique in each group.
func ValidateUniqueInGroup(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	for i, group := range obj.Spec.Groups {
		seen := sets.New[string]()
		for j, member := range group.Members {
			if seen.Has(member.Name) {
				errs = append(errs, field.Duplicate(nameOfMember(i, j), member.Name))
			}
			seen.Insert(member.Name)
		}
	}
	return errs
}

// ValidateUniqueButEmpty allows the empty name several times.
func ValidateUniqueButEmpty(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	seen := map[string]struct{}{}
	for i, item := range obj.Spec.Items {
		if item.Name == "" {
			continue
		}
		if _, ok := seen[item.Name]; ok {
			errs = append(errs, field.Duplicate(spec.Child("items").Index(i).Child("name"), item.Name))
			continue
		}
		seen[item.Name] = struct{}{}
	}
	return errs
}

// ValidateTwoSets has names that may be in one of two sets.
func ValidateTwoSets(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	names, keys := sets.New(obj.Spec.Names...), sets.New[string]()
	for key := range obj.Spec.Labels {
		keys.Insert(key)
	}
	for i, item := range obj.Spec.Items {
		if !names.Has(item.Name) && !keys.Has(item.Name) {
			errs = append(errs, field.NotFound(spec.Child("items").Index(i).Child("name"), item.Name))
		}
	}
	return errs
}

// ValidateSetOperations has the operations of sets.
func ValidateSetOperations(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	names, tags := sets.New(obj.Spec.Names...), sets.New(obj.Spec.Tags...)
	if names.HasAny("a", "b") && !names.HasAll("a", "b") {
		errs = append(errs, field.Invalid(spec.Child("names"), nil, "a and b need each other"))
	}
	if names.Intersection(tags).Len() > 0 {
		errs = append(errs, field.Invalid(spec.Child("tags"), nil, "must not be names"))
	}
	return errs
}

// ValidateSubset has sets of which one must have all of the other.
func ValidateSubset(obj *Thing) field.ErrorList {
	names, tags := sets.New(obj.Spec.Names...), sets.New(obj.Spec.Tags...)
	if extra := tags.Difference(names); extra.Len() > 0 {
		return field.ErrorList{field.Invalid(spec.Child("tags"), sets.List(extra), "must be names")}
	}
	return nil
}

// ValidateSuperset asks for the same by a function.
func ValidateSuperset(obj *Thing) field.ErrorList {
	if !sets.New(obj.Spec.Names...).IsSuperset(sets.New(obj.Spec.Tags...)) {
		return field.ErrorList{field.Invalid(spec.Child("tags"), nil, "must be names")}
	}
	return nil
}

// ValidateNumberOfNames has a set that is smaller than the list if names repeat.
func ValidateNumberOfNames(obj *Thing) field.ErrorList {
	if sets.New(obj.Spec.Names...).Len() != len(obj.Spec.Names) {
		return field.ErrorList{field.Invalid(spec.Child("names"), nil, "must be unique")}
	}
	return nil
}

// ValidateKeySet has the keys of a map as a set.
func ValidateKeySet(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	keys := sets.KeySet(obj.Spec.Labels)
	for i, name := range obj.Spec.Names {
		if !keys.Has(name) {
			errs = append(errs, field.NotFound(spec.Child("names").Index(i), name))
		}
	}
	return errs
}

// ValidateGatheredUntil gathers names up to an item.
func ValidateGatheredUntil(obj *Thing) field.ErrorList {
	names := sets.New[string]()
	for _, item := range obj.Spec.Items {
		if item.Weight != nil {
			break
		}
		names.Insert(item.Name)
	}
	if names.Has("a") {
		return field.ErrorList{field.Invalid(spec.Child("items"), nil, "a must have a weight before it")}
	}
	return nil
}

package constructs

import (
	"maps"
	"slices"
	"sort"

	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// state of a loop that is a field of a struct.
type progress struct {
	seen  bool
	names sets.Set[string]
}

// ValidateFlagInStruct asks a flag in a struct, which an earlier item may have set.
func ValidateFlagInStruct(obj *Thing) field.ErrorList {
	var p progress
	for i, item := range obj.Spec.Items {
		if p.seen && item.Weight != nil {
			return field.ErrorList{field.Forbidden(spec.Child("items").Index(i).Child("weight"), "comes after a")}
		}
		if item.Name == "a" {
			p.seen = true
		}
	}
	return nil
}

// ValidateStructAfterLoop asks it after the loop.
func ValidateStructAfterLoop(obj *Thing) field.ErrorList {
	var p progress
	for _, item := range obj.Spec.Items {
		if item.Name == "a" {
			p.seen = true
		}
	}
	if !p.seen {
		return field.ErrorList{field.Required(spec.Child("items"), "must have a")}
	}
	return nil
}

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
				errs = append(errs, field.Duplicate(spec.Child("groups").Index(i).Child("members").Index(j).Child("name"), member.Name))
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
				errs = append(errs, field.Duplicate(spec.Child("groups").Index(i).Child("members").Index(j).Child("name"), member.Name))
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

// ValidateTwoCounters counts two kinds of items.
func ValidateTwoCounters(obj *Thing) field.ErrorList {
	large, small := 0, 0
	for _, item := range obj.Spec.Items {
		if item.Count > 1 {
			large++
		} else {
			small++
		}
	}
	if large > small {
		return field.ErrorList{field.Invalid(spec.Child("items"), large, "more are large than small")}
	}
	return nil
}

// ValidateCounterOfGroups counts in a loop in a loop.
func ValidateCounterOfGroups(obj *Thing) field.ErrorList {
	total := 0
	for _, group := range obj.Spec.Groups {
		for range group.Members {
			total++
		}
	}
	if total > 3 {
		return field.ErrorList{field.TooMany(spec.Child("groups"), total, 3)}
	}
	return nil
}

// ValidateSumOfLengths adds up the lengths of lists.
func ValidateSumOfLengths(obj *Thing) field.ErrorList {
	total := 0
	for _, group := range obj.Spec.Groups {
		total += len(group.Members)
	}
	if total > 3 {
		return field.ErrorList{field.TooMany(spec.Child("groups"), total, 3)}
	}
	return nil
}

// ValidateCountOfTwoLoops counts in two loops.
func ValidateCountOfTwoLoops(obj *Thing) field.ErrorList {
	defaults := 0
	for _, item := range obj.Spec.Items {
		if item.Name == "a" {
			defaults++
		}
	}
	for _, item := range obj.Spec.Keyed {
		if item.Name == "a" {
			defaults++
		}
	}
	if defaults != 1 {
		return field.ErrorList{field.Invalid(spec, defaults, "must have one a")}
	}
	return nil
}

// ValidateMixed has a loop that looks for items of two kinds, which must not be mixed.
func ValidateMixed(obj *Thing) field.ErrorList {
	hasEmpty, hasName := false, false
	for _, item := range obj.Spec.Items {
		if item.Name == "" {
			hasEmpty = true
		} else {
			hasName = true
		}
	}
	if hasEmpty && hasName {
		return field.ErrorList{field.Invalid(spec.Child("items"), nil, "all or none must have names")}
	}
	return nil
}

// ValidateAllOf has a flag that is true until an item clears it.
func ValidateAllOf(obj *Thing) field.ErrorList {
	all := true
	for _, item := range obj.Spec.Items {
		all = all && item.Weight != nil
	}
	if !all {
		return field.ErrorList{field.Required(spec.Child("items"), "all need a weight")}
	}
	return nil
}

// ValidateAnyOf has a flag that is set by an operator.
func ValidateAnyOf(obj *Thing) field.ErrorList {
	some := obj.Spec.Paused
	for _, item := range obj.Spec.Items {
		some = some || item.Count > 2
	}
	if some {
		return field.ErrorList{field.Forbidden(spec.Child("items"), "none may be large, and not if paused")}
	}
	return nil
}

// ValidateLargest has the largest number of a list.
func ValidateLargest(obj *Thing) field.ErrorList {
	var largest int32
	for _, item := range obj.Spec.Items {
		if item.Count > largest {
			largest = item.Count
		}
	}
	if largest > obj.Spec.Replicas {
		return field.ErrorList{field.Invalid(spec.Child("replicas"), obj.Spec.Replicas, "must be at least the largest count")}
	}
	return nil
}

// ValidateFoundIndex looks for the index of an item.
func ValidateFoundIndex(obj *Thing) field.ErrorList {
	at := -1
	for i, name := range obj.Spec.Names {
		if name == "a" {
			at = i
			break
		}
	}
	if at < 0 {
		return field.ErrorList{field.Required(spec.Child("names"), "must have a")}
	}
	return nil
}

// ValidateFilter keeps the items that fit, and asks them in another loop.
func ValidateFilter(obj *Thing) field.ErrorList {
	var large []Item
	for _, item := range obj.Spec.Items {
		if item.Count > 1 {
			large = append(large, item)
		}
	}
	for _, item := range large {
		if item.Network == nil {
			return field.ErrorList{field.Required(spec.Child("items"), "large ones need a network")}
		}
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

// ValidateSilentBreak leaves a loop without an error: later items are not asked.
func ValidateSilentBreak(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	for i, item := range obj.Spec.Items {
		if item.Name == "" {
			break
		}
		if item.Count < 0 {
			errs = append(errs, field.Invalid(spec.Child("items").Index(i).Child("count"), item.Count, "must not be negative"))
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

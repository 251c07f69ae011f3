package constructs

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

func ValidateItems(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	for i, item := range obj.Spec.Items {
		path := spec.Child("items").Index(i)
		if item.Name == "" {
			errs = append(errs, field.Required(path.Child("name"), ""))
		}
		if item.Count < 0 {
			errs = append(errs, field.Invalid(path.Child("count"), item.Count, "must not be negative"))
		}
		for j, need := range item.Needs {
			if need == item.Name {
				errs = append(errs, field.Invalid(path.Child("needs").Index(j), need, "is the item itself"))
			}
		}
	}
	return errs
}

func ValidateContinue(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	for i := range obj.Spec.Items {
		item := &obj.Spec.Items[i]
		if item.Weight == nil {
			continue
		}
		if *item.Weight > 2 {
			errs = append(errs, field.Invalid(spec.Child("items").Index(i).Child("weight"), *item.Weight, "is too large"))
		}
	}
	return errs
}

func ValidateCounted(obj *Thing) field.ErrorList {
	for i := 0; i < len(obj.Spec.Items); i++ {
		if obj.Spec.Items[i].Count == 2 {
			return field.ErrorList{field.Invalid(spec.Child("items"), i, "has a two")}
		}
	}
	return nil
}

func ValidateUnique(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	seen := map[string]bool{}
	for i, item := range obj.Spec.Items {
		if seen[item.Name] {
			errs = append(errs, field.Duplicate(spec.Child("items").Index(i).Child("name"), item.Name))
		}
		seen[item.Name] = true
	}
	return errs
}

func ValidateUniqueSet(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	seen := sets.New[string]()
	for i, name := range obj.Spec.Names {
		if seen.Has(name) {
			errs = append(errs, field.Duplicate(spec.Child("names").Index(i), name))
		} else {
			seen.Insert(name)
		}
	}
	return errs
}

func ValidateReference(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	names := sets.New[string]()
	for _, item := range obj.Spec.Items {
		names.Insert(item.Name)
	}
	for i, name := range obj.Spec.Names {
		if !names.Has(name) {
			errs = append(errs, field.NotFound(spec.Child("names").Index(i), name))
		}
	}
	return errs
}

func ValidateEarlierItems(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	names := sets.New[string]()
	for i, item := range obj.Spec.Items {
		for _, need := range item.Needs {
			if !names.Has(need) {
				errs = append(errs, field.Invalid(spec.Child("items").Index(i).Child("needs"), need, "is no earlier item"))
			}
		}
		names.Insert(item.Name)
	}
	return errs
}

func ValidateFlag(obj *Thing) field.ErrorList {
	found := false
	for _, item := range obj.Spec.Items {
		if item.Count > 1 {
			found = true
			break
		}
	}
	if !found {
		return field.ErrorList{field.Invalid(spec.Child("items"), "", "one must have a count")}
	}
	return nil
}

func ValidateCounter(obj *Thing) field.ErrorList {
	count := 0
	for _, item := range obj.Spec.Items {
		if item.Weight != nil {
			count++
		}
	}
	if count > 1 {
		return field.ErrorList{field.TooMany(spec.Child("items"), count, 1)}
	}
	return nil
}

func find(items []Item, name string) *Item {
	for i := range items {
		if items[i].Name == name {
			return &items[i]
		}
	}
	return nil
}

func ValidateFound(obj *Thing) field.ErrorList {
	item := find(obj.Spec.Items, obj.Spec.Name)
	if item == nil {
		return field.ErrorList{field.NotFound(spec.Child("name"), obj.Spec.Name)}
	}
	if item.Count == 0 {
		return field.ErrorList{field.Invalid(spec.Child("name"), obj.Spec.Name, "has no count")}
	}
	return nil
}

type check struct {
	name string
	of   func(*Thing) string
}

func ValidateTable(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	for _, one := range []check{
		{"name", func(t *Thing) string { return t.Spec.Name }},
		{"otherName", func(t *Thing) string { return t.Spec.Other }},
	} {
		if one.of(obj) == "c" {
			errs = append(errs, field.Invalid(spec.Child(one.name), one.of(obj), "must not be c"))
		}
	}
	return errs
}

// ValidateNestedFlag has a flag that a loop in a loop sets, and that the outer one asks.
func ValidateNestedFlag(obj *Thing) field.ErrorList {
	found := false
	for _, item := range obj.Spec.Items {
		if !found {
			for _, need := range item.Needs {
				if need == obj.Spec.Name {
					found = true
					break
				}
			}
			if item.Network != nil && item.Network.Host == obj.Spec.Name {
				found = true
			}
		}
	}
	if !found {
		return field.ErrorList{field.NotFound(spec.Child("name"), obj.Spec.Name)}
	}
	return nil
}

// ValidateLast uses the last item that fits.
func ValidateLast(obj *Thing) field.ErrorList {
	var last int32
	for _, item := range obj.Spec.Items {
		if item.Weight != nil {
			last = item.Count
		}
	}
	if last > 2 {
		return field.ErrorList{field.Invalid(spec.Child("items"), last, "the last one is large")}
	}
	return nil
}

// ValidateGroups groups items by a key.
func ValidateGroups(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	byName := map[string][]int{}
	counts := map[int32]int{}
	for i, item := range obj.Spec.Items {
		byName[item.Name] = append(byName[item.Name], i)
		counts[item.Count]++
	}
	for name, all := range byName {
		if len(all) > 1 {
			errs = append(errs, field.Duplicate(spec.Child("items"), name))
		}
	}
	if counts[1] > 1 {
		errs = append(errs, field.Invalid(spec.Child("size"), obj.Spec.Size, "two items have one"))
	}
	return errs
}

// ValidateGathered gathers texts of several lists.
func ValidateGathered(obj *Thing) field.ErrorList {
	var names []string
	for _, item := range obj.Spec.Items {
		if item.Network != nil {
			names = append(names, item.Network.Host)
			names = append(names, item.Needs...)
		}
	}
	names = append(names, obj.Spec.Names...)
	if slices.Contains(names, obj.Spec.Name) {
		return field.ErrorList{field.Invalid(spec.Child("name"), obj.Spec.Name, "is used")}
	}
	if len(obj.Spec.Items) == 0 && len(names) > 0 {
		return field.ErrorList{field.TooMany(spec.Child("names"), len(names), 1)}
	}
	return nil
}

// ValidateUniqueSlice looks for an item among those that were appended before.
func ValidateUniqueSlice(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	var seen []string
	for i, item := range obj.Spec.Items {
		if slices.Contains(seen, item.Name) {
			errs = append(errs, field.Duplicate(spec.Child("items").Index(i).Child("name"), item.Name))
		}
		seen = append(seen, item.Name)
	}
	return errs
}

func ValidateOneSource(obj *Thing) field.ErrorList {
	sources := sets.New[string]()
	if obj.Spec.Network != nil {
		sources.Insert("network")
	}
	if obj.Spec.Selected != nil {
		sources.Insert("selected")
	}
	if obj.Spec.Name != "" {
		sources.Insert("name")
	}
	if sources.Len() != 1 {
		return field.ErrorList{field.Forbidden(spec.Child("selected"), "must have one source")}
	}
	return nil
}

func ValidateOneSourceOfItem(obj *Thing) (errs field.ErrorList) {
	for i, item := range obj.Spec.Items {
		sources := sets.New[string]()
		if item.Network != nil {
			sources.Insert("network")
		}
		if item.Weight != nil {
			sources.Insert("weight")
			if sources.Len() > 1 {
				errs = append(errs, field.Forbidden(spec.Child("items").Index(i).Child("weight"), "is a second source"))
			}
		}
		if sources.Len() == 0 {
			errs = append(errs, field.Required(spec.Child("items").Index(i), "must have a source"))
		}
	}
	return errs
}

func ValidateBreakInTypeSwitch(obj *Thing) field.ErrorList {
	var limit any = obj.Spec.Name
	switch limit.(type) {
	case string:
		if obj.Spec.Paused {
			break
		}
		if obj.Spec.Name == "" {
			return field.ErrorList{field.Required(spec.Child("name"), "")}
		}
	}
	if obj.Spec.Name == "a" {
		return field.ErrorList{field.Invalid(spec.Child("name"), obj.Spec.Name, "must not be a")}
	}
	return nil
}

func ValidateNestedKeys(obj *Thing) (errs field.ErrorList) {
	counts := map[string]int{}
	for _, item := range obj.Spec.Items {
		for _, need := range item.Needs {
			counts[need]++
		}
	}
	for i, name := range obj.Spec.Names {
		if counts[name] == 0 {
			errs = append(errs, field.Invalid(spec.Child("names").Index(i), name, "must be needed"))
		}
	}
	return errs
}

// ValidateFilled has a list of errors that is made with its length, and then filled.
func ValidateFilled(obj *Thing) field.ErrorList {
	names := []string{}
	for _, item := range obj.Spec.Items {
		if item.Count > 2 {
			names = append(names, item.Name)
		}
	}
	errs := make(field.ErrorList, len(names))
	for i, name := range names {
		errs[i] = field.Forbidden(spec.Child("items"), "too many of "+name)
	}
	return errs
}

// ValidateFirstFilled sets one error of such a list.
func ValidateFirstFilled(obj *Thing) field.ErrorList {
	if len(obj.Spec.Items) < 2 {
		return nil
	}
	errs := make(field.ErrorList, 1)
	errs[0] = field.Forbidden(spec.Child("items"), "at most one")
	return errs
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

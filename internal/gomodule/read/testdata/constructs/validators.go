package constructs

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/validation"
	"k8s.io/apimachinery/pkg/util/sets"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/utils/ptr"
)

var spec = field.NewPath("spec")

// Creates are the validators of an object, by the construct.
var Creates = map[string]func(*Thing) field.ErrorList{
	"ValidateRequired":         ValidateRequired,
	"ValidateNil":              ValidateNil,
	"ValidateZero":             ValidateZero,
	"ValidateDereferenced":     ValidateDereferenced,
	"ValidateEnum":             ValidateEnum,
	"ValidateSwitch":           ValidateSwitch,
	"ValidateSetOfConstants":   ValidateSetOfConstants,
	"ValidateSliceContains":    ValidateSliceContains,
	"ValidateItems":            ValidateItems,
	"ValidateContinue":         ValidateContinue,
	"ValidateCounted":          ValidateCounted,
	"ValidateUnique":           ValidateUnique,
	"ValidateUniqueSet":        ValidateUniqueSet,
	"ValidateReference":        ValidateReference,
	"ValidateEarlierItems":     ValidateEarlierItems,
	"ValidateFlag":             ValidateFlag,
	"ValidateCounter":          ValidateCounter,
	"ValidateFound":            ValidateFound,
	"ValidateLibrary":          ValidateLibrary,
	"ValidateRegexp":           ValidateRegexp,
	"ValidateStrings":          ValidateStrings,
	"ValidateSplit":            ValidateSplit,
	"ValidateArithmetic":       ValidateArithmetic,
	"ValidatePointers":         ValidatePointers,
	"ValidateMap":              ValidateMap,
	"ValidateClosure":          ValidateClosure,
	"ValidateMethod":           ValidateMethod,
	"ValidateGeneric":          ValidateGeneric,
	"ValidateMasked":           ValidateMasked,
	"ValidateErrorAsCondition": ValidateErrorAsCondition,
	"ValidateTable":            ValidateTable,
	"ValidateLength":           ValidateLength,
	"ValidateAppended":         ValidateAppended,
	"ValidateFirst":            ValidateFirst,
	"ValidateGates":            ValidateGates,
}

// Updates are those of an object and the one before.
var Updates = map[string]func(obj, old *Thing) field.ErrorList{
	"ValidateImmutableUpdate": ValidateImmutableUpdate,
	"ValidateRemovedUpdate":   ValidateRemovedUpdate,
}

func ValidateRequired(obj *Thing) field.ErrorList {
	if obj.Spec.Name == "" {
		return field.ErrorList{field.Required(spec.Child("name"), "")}
	}
	return nil
}

func ValidateNil(obj *Thing) (errs field.ErrorList) {
	if obj.Spec.Limit == nil {
		errs = append(errs, field.Required(spec.Child("limit"), "must be set"))
	}
	if obj.Spec.Network != nil && obj.Spec.Network.Host == "" {
		errs = append(errs, field.Required(spec.Child("network", "host"), ""))
	}
	return
}

func ValidateZero(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	if obj.Spec.Size < 1 {
		errs = append(errs, field.Invalid(spec.Child("size"), obj.Spec.Size, "must be positive"))
	}
	if obj.Spec.Size > 3 {
		errs = append(errs, field.Invalid(spec.Child("size"), obj.Spec.Size, fmt.Sprintf("must be at most %d", 3)))
	}
	return errs
}

func ValidateDereferenced(obj *Thing) field.ErrorList {
	if obj.Spec.Limit != nil && *obj.Spec.Limit > obj.Spec.Size {
		return field.ErrorList{field.Invalid(spec.Child("limit"), *obj.Spec.Limit, "must not be above size")}
	}
	return nil
}

func ValidateEnum(obj *Thing) field.ErrorList {
	switch obj.Spec.Mode {
	case "", Fast, Slow:
	default:
		return field.ErrorList{field.NotSupported(spec.Child("mode"), obj.Spec.Mode, []Mode{Fast, Slow})}
	}
	return nil
}

func ValidateSwitch(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	switch {
	case obj.Spec.Paused && obj.Spec.Size > 0:
		errs = append(errs, field.Forbidden(spec.Child("size"), "is for running things"))
	case obj.Spec.Mode == Fast:
		errs = append(errs, field.Forbidden(spec.Child("mode"), "is slow"))
	case obj.Spec.Name == "a":
		fallthrough
	default:
		if obj.Spec.Owner == "" {
			errs = append(errs, field.Required(spec.Child("owner"), ""))
		}
	}
	return errs
}

var known = sets.New("a", "b")

func ValidateSetOfConstants(obj *Thing) field.ErrorList {
	if !known.Has(obj.Spec.Name) {
		return field.ErrorList{field.Invalid(spec.Child("name"), obj.Spec.Name, "is not known")}
	}
	return nil
}

func ValidateSliceContains(obj *Thing) field.ErrorList {
	if slices.Contains(obj.Spec.Names, "b") {
		return field.ErrorList{field.Forbidden(spec.Child("names"), "b is not allowed")}
	}
	return nil
}

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

func ValidateLibrary(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	for _, text := range utilvalidation.IsDNS1123Label(obj.Spec.Name) {
		errs = append(errs, field.Invalid(spec.Child("name"), obj.Spec.Name, text))
	}
	if text := utilvalidation.IsDNS1035Label(obj.Spec.Other); len(text) > 0 && obj.Spec.Other != "" {
		errs = append(errs, field.Invalid(spec.Child("otherName"), obj.Spec.Other, "is no label"))
	}
	return errs
}

var letters = regexp.MustCompile(`^[a-z]+$`)

func ValidateRegexp(obj *Thing) field.ErrorList {
	if !letters.MatchString(obj.Spec.Name) {
		return field.ErrorList{field.Invalid(spec.Child("name"), obj.Spec.Name, "must be letters")}
	}
	return nil
}

func ValidateStrings(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	if strings.HasPrefix(obj.Spec.Name, "a") && !strings.HasSuffix(obj.Spec.Name, "b") {
		errs = append(errs, field.Invalid(spec.Child("name"), obj.Spec.Name, "must end with b"))
	}
	if strings.Contains(obj.Spec.Other, obj.Spec.Name) {
		errs = append(errs, field.Invalid(spec.Child("otherName"), obj.Spec.Other, "must not contain the name"))
	}
	return errs
}

func ValidateSplit(obj *Thing) field.ErrorList {
	parts := strings.SplitN(obj.Spec.Name, "/", 2)
	if len(parts) == 2 && parts[0] == "" {
		return field.ErrorList{field.Invalid(spec.Child("name"), obj.Spec.Name, "needs a prefix")}
	}
	return nil
}

func ValidateArithmetic(obj *Thing) field.ErrorList {
	limit := int32(1)
	if obj.Spec.Limit != nil {
		limit = *obj.Spec.Limit
	}
	if int64(limit)*int64(obj.Spec.Size) > 4 {
		return field.ErrorList{field.Invalid(spec.Child("size"), obj.Spec.Size, "too many")}
	}
	return nil
}

func ValidatePointers(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	if ptr.Deref(obj.Spec.Enabled, true) && obj.Spec.Name == "" {
		errs = append(errs, field.Required(spec.Child("name"), "if enabled"))
	}
	if ptr.Equal(obj.Spec.Limit, ptr.To(int32(2))) {
		errs = append(errs, field.Invalid(spec.Child("limit"), obj.Spec.Limit, "must not be two"))
	}
	return errs
}

func ValidateMap(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	for key, value := range obj.Spec.Labels {
		if key == "a" && value != "b" {
			errs = append(errs, field.Invalid(spec.Child("labels").Key(key), value, "must be b"))
		}
	}
	if value, ok := obj.Spec.Labels["c"]; ok && value == "" {
		errs = append(errs, field.Required(spec.Child("labels").Key("c"), ""))
	}
	return errs
}

func ValidateClosure(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	check := func(name, text string) {
		if text == "b" {
			errs = append(errs, field.Invalid(spec.Child(name), text, "must not be b"))
		}
	}
	check("name", obj.Spec.Name)
	check("otherName", obj.Spec.Other)
	return errs
}

func (n *Network) validate(path *field.Path) field.ErrorList {
	if n == nil {
		return nil
	}
	if n.Port == 0 {
		return field.ErrorList{field.Required(path.Child("port"), "")}
	}
	return nil
}

func ValidateMethod(obj *Thing) field.ErrorList {
	errs := obj.Spec.Network.validate(spec.Child("network"))
	for i, item := range obj.Spec.Items {
		errs = append(errs, item.Network.validate(spec.Child("items").Index(i).Child("network"))...)
	}
	return errs
}

func atMost[T int32 | int64](path *field.Path, value, most T) *field.Error {
	if value > most {
		return field.Invalid(path, value, fmt.Sprintf("must be at most %d", most))
	}
	return nil
}

func ValidateGeneric(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	if err := atMost(spec.Child("size"), obj.Spec.Size, 2); err != nil {
		errs = append(errs, err)
	}
	return errs
}

func ValidateMasked(obj *Thing) field.ErrorList {
	if errs := ValidateRequired(obj); len(errs) > 0 {
		return errs
	}
	if obj.Spec.Size == 0 {
		return field.ErrorList{field.Required(spec.Child("size"), "")}
	}
	return nil
}

func ValidateErrorAsCondition(obj *Thing) field.ErrorList {
	if errs := ValidateZero(obj); len(errs) > 0 {
		return field.ErrorList{field.Invalid(spec, "", "has a wrong size")}
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

func ValidateLength(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	if len(obj.Spec.Names) > 1 && len(obj.Spec.Items) == 0 {
		errs = append(errs, field.Required(spec.Child("items"), "for names"))
	}
	if len(obj.Spec.Name) > 3 {
		errs = append(errs, field.TooLong(spec.Child("name"), obj.Spec.Name, 3))
	}
	return errs
}

func mistakes(name string) []string {
	var all []string
	if name == "" {
		all = append(all, "is empty")
	}
	for _, word := range []string{"a", "b"} {
		if name == word {
			all = append(all, fmt.Sprintf("must not be %q", word))
		}
	}
	return all
}

func ValidateAppended(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	for _, text := range mistakes(obj.Spec.Name) {
		errs = append(errs, field.Invalid(spec.Child("name"), obj.Spec.Name, text))
	}
	if len(mistakes(obj.Spec.Other)) > 0 {
		errs = append(errs, field.Invalid(spec.Child("otherName"), obj.Spec.Other, "is wrong"))
	}
	return errs
}

func ValidateFirst(obj *Thing) field.ErrorList {
	if len(obj.Spec.Items) > 0 && obj.Spec.Items[0].Weight != nil {
		return field.ErrorList{field.Forbidden(spec.Child("items").Index(0).Child("weight"), "of the first")}
	}
	return nil
}

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

package constructs

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apimachinery/pkg/util/sets"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/utils/ptr"
)

// ValidateEither wants exactly one of two fields, by comparing what is there.
func ValidateEither(obj *Thing) field.ErrorList {
	if (obj.Spec.Network == nil) == (obj.Spec.Selected == nil) {
		return field.ErrorList{field.Invalid(spec, nil, "exactly one of network and selected")}
	}
	return nil
}

// ValidateCountedFields counts which of several fields are set, without a loop.
func ValidateCountedFields(obj *Thing) field.ErrorList {
	set := 0
	if obj.Spec.Network != nil {
		set++
	}
	if obj.Spec.Selected != nil {
		set++
	}
	if obj.Spec.Timeout != nil {
		set++
	}
	if set > 1 {
		return field.ErrorList{field.Forbidden(spec, "at most one of network, selected and timeout")}
	}
	return nil
}

// ValidateNamedFields lists the names of the fields that are set.
func ValidateNamedFields(obj *Thing) field.ErrorList {
	var set []string
	if obj.Spec.Enabled != nil {
		set = append(set, "enabled")
	}
	if obj.Spec.Limit != nil {
		set = append(set, "limit")
	}
	if len(set) == 2 {
		return field.ErrorList{field.Forbidden(spec, strings.Join(set, " and "))}
	}
	return nil
}

// ValidateImplied wants a field if another has a value, as one expression.
func ValidateImplied(obj *Thing) field.ErrorList {
	if !(obj.Spec.Mode != Slow || obj.Spec.Limit != nil) {
		return field.ErrorList{field.Required(spec.Child("limit"), "slow things have a limit")}
	}
	return nil
}

// ValidateBounded compares a number with one that may be absent, in both directions.
func ValidateBounded(obj *Thing) field.ErrorList {
	limit := ptr.Deref(obj.Spec.Limit, obj.Spec.Size)
	if obj.Spec.Size > limit {
		return field.ErrorList{field.Invalid(spec.Child("size"), obj.Spec.Size, "is over the limit")}
	}
	return nil
}

// ValidateDefaultedBound has a default for a bound that is another field.
func ValidateDefaultedBound(obj *Thing) field.ErrorList {
	most := int32(3)
	if obj.Spec.Replicas != 0 {
		most = obj.Spec.Replicas
	}
	if obj.Spec.Size > most {
		return field.ErrorList{field.Invalid(spec.Child("size"), obj.Spec.Size, fmt.Sprintf("must be at most %d", most))}
	}
	return nil
}

// ValidateTwoBounds gives each side of a range its error.
func ValidateTwoBounds(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	switch size := obj.Spec.Size; {
	case size < 0:
		errs = append(errs, field.Invalid(spec.Child("size"), size, "is negative"))
	case size > 2 && size < 4:
		errs = append(errs, field.Invalid(spec.Child("size"), size, "is three"))
	}
	return errs
}

// ValidateMultiple wants one number to be a multiple of another, which must not be zero.
func ValidateMultiple(obj *Thing) field.ErrorList {
	if obj.Spec.Replicas > 0 && obj.Spec.Size%obj.Spec.Replicas != 0 {
		return field.ErrorList{field.Invalid(spec.Child("size"), obj.Spec.Size, "must be a multiple of the replicas")}
	}
	return nil
}

// ValidateReferences wants each needed name to be that of an item, by a set.
func ValidateReferences(obj *Thing) field.ErrorList {
	known := sets.New[string]()
	for _, item := range obj.Spec.Items {
		known.Insert(item.Name)
	}
	var errs field.ErrorList
	for i, name := range obj.Spec.Names {
		if !known.Has(name) {
			errs = append(errs, field.NotFound(spec.Child("names").Index(i), name))
		}
	}
	return errs
}

// ValidateDisjoint refuses names that two lists have.
func ValidateDisjoint(obj *Thing) field.ErrorList {
	tags := sets.New(obj.Spec.Tags...)
	var errs field.ErrorList
	for i, name := range obj.Spec.Names {
		if tags.Has(name) {
			errs = append(errs, field.Duplicate(spec.Child("names").Index(i), name))
		}
	}
	return errs
}

// ValidateOwnName compares a field of items with one of what has them.
func ValidateOwnName(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	for i, item := range obj.Spec.Items {
		if item.Name == obj.Spec.Name {
			errs = append(errs, field.Invalid(spec.Child("items").Index(i).Child("name"), item.Name, "is the name of the thing"))
		}
	}
	return errs
}

// ValidateTogether bounds the number of items that two lists have together.
func ValidateTogether(obj *Thing) field.ErrorList {
	if len(obj.Spec.Names)+len(obj.Spec.Tags) > 2 {
		return field.ErrorList{field.TooMany(spec.Child("names"), len(obj.Spec.Names), 2)}
	}
	return nil
}

// ValidatePrefixOfOther wants one text to begin with another.
func ValidatePrefixOfOther(obj *Thing) field.ErrorList {
	if obj.Spec.Other != "" && !strings.HasPrefix(obj.Spec.Name, obj.Spec.Other) {
		return field.ErrorList{field.Invalid(spec.Child("name"), obj.Spec.Name, "must begin with the other name")}
	}
	return nil
}

// ValidateJoinedNames compares a text that is made of others.
func ValidateJoinedNames(obj *Thing) field.ErrorList {
	if obj.Spec.Name+obj.Spec.Other == "a1" {
		return field.ErrorList{field.Invalid(spec.Child("name"), obj.Spec.Name, "is taken with the other name")}
	}
	return nil
}

// ValidateAddressParsed parses an address whose form is not read.
func ValidateAddressParsed(obj *Thing) field.ErrorList {
	parsed, err := url.Parse(obj.Spec.Address)
	if err != nil {
		return field.ErrorList{field.Invalid(spec.Child("address"), obj.Spec.Address, "is no URL")}
	}
	if parsed.Scheme != "https" {
		return field.ErrorList{field.Invalid(spec.Child("address"), obj.Spec.Address, "must be https")}
	}
	return nil
}

// ValidateSelectorMade makes a selector of labels, which is not read.
func ValidateSelectorMade(obj *Thing) field.ErrorList {
	selector := &metav1.LabelSelector{MatchLabels: obj.Spec.Labels}
	if _, err := metav1.LabelSelectorAsSelector(selector); err != nil {
		return field.ErrorList{field.Invalid(spec.Child("labels"), obj.Spec.Labels, "is no selector")}
	}
	return nil
}

// ValidateLastError returns the last of several errors.
func ValidateLastError(obj *Thing) field.ErrorList {
	var last *field.Error
	if obj.Spec.Size < 0 {
		last = field.Invalid(spec.Child("size"), obj.Spec.Size, "is negative")
	}
	if obj.Spec.Name == "a" {
		last = field.Invalid(spec.Child("name"), obj.Spec.Name, "is taken")
	}
	if last != nil {
		return field.ErrorList{last}
	}
	return nil
}

// ValidateAggregated gathers errors as an aggregate, and asks whether there is one.
func ValidateAggregated(obj *Thing) field.ErrorList {
	var errs []error
	if obj.Spec.Size < 0 {
		errs = append(errs, field.Invalid(spec.Child("size"), obj.Spec.Size, "is negative"))
	}
	if obj.Spec.Name == "a" {
		errs = append(errs, field.Invalid(spec.Child("name"), obj.Spec.Name, "is taken"))
	}
	if utilerrors.NewAggregate(errs) != nil {
		return field.ErrorList{field.Forbidden(spec, "is wrong")}
	}
	return nil
}

// ValidateNoneOf refuses a mode by a list of others.
func ValidateNoneOf(obj *Thing) field.ErrorList {
	if !slices.Contains([]Mode{"", Fast, Slow}, obj.Spec.Mode) {
		return field.ErrorList{field.NotSupported(spec.Child("mode"), obj.Spec.Mode, []Mode{Fast, Slow})}
	}
	return nil
}

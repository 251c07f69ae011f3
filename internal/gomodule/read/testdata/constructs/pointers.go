package constructs

import (
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/utils/ptr"
)

func addIfEmpty(errs *field.ErrorList, path *field.Path, text string) {
	if text == "" {
		*errs = append(*errs, field.Required(path, ""))
	}
}

// ValidatePointerToErrors has a function that adds to errors through a pointer.
func ValidatePointerToErrors(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	addIfEmpty(&errs, spec.Child("name"), obj.Spec.Name)
	addIfEmpty(&errs, spec.Child("otherName"), obj.Spec.Other)
	return errs
}

// ValidatePointerToErrorsInLoop calls it in a loop, where no statement assigns the errors.
func ValidatePointerToErrorsInLoop(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	for i, item := range obj.Spec.Items {
		addIfEmpty(&errs, spec.Child("items").Index(i).Child("name"), item.Name)
	}
	return errs
}

// gatherer is a validator with its errors.
type gatherer struct {
	errs  field.ErrorList
	count int
}

func (g *gatherer) require(path *field.Path, text string) {
	if text == "" {
		g.errs = append(g.errs, field.Required(path, ""))
		g.count++
	}
}

// ValidateGatherer has a receiver that gathers errors.
func ValidateGatherer(obj *Thing) field.ErrorList {
	g := &gatherer{}
	g.require(spec.Child("name"), obj.Spec.Name)
	g.require(spec.Child("otherName"), obj.Spec.Other)
	return g.errs
}

// ValidateGathererInLoop has a receiver that gathers errors in a loop.
func ValidateGathererInLoop(obj *Thing) field.ErrorList {
	g := &gatherer{}
	for i, item := range obj.Spec.Items {
		g.require(spec.Child("items").Index(i).Child("name"), item.Name)
	}
	return g.errs
}

// ValidateCountedByReceiver asks how often a method counted.
func ValidateCountedByReceiver(obj *Thing) field.ErrorList {
	g := gatherer{}
	g.require(spec.Child("name"), obj.Spec.Name)
	g.require(spec.Child("otherName"), obj.Spec.Other)
	if g.count == 2 {
		return field.ErrorList{field.Required(spec, "needs a name")}
	}
	return nil
}

// ValidateAlias changes a copy through a second pointer to it.
func ValidateAlias(obj *Thing) field.ErrorList {
	made := *obj.Spec.DeepCopy()
	alias := &made
	alias.Size = 0
	if made.Size > 1 {
		return field.ErrorList{field.Invalid(spec.Child("size"), obj.Spec.Size, "is never returned")}
	}
	if made.Replicas > 1 {
		return field.ErrorList{field.Invalid(spec.Child("replicas"), obj.Spec.Replicas, "is too large")}
	}
	return nil
}

// clear is a method of a value: the caller keeps its own.
func (n Network) cleared() Network {
	n.Host = ""
	return n
}

// ValidateValueReceiver calls a method that changes its copy of the receiver.
func ValidateValueReceiver(obj *Thing) field.ErrorList {
	if obj.Spec.Network == nil {
		return nil
	}
	network := *obj.Spec.Network
	if network.cleared(); network.Host == "a" {
		return field.ErrorList{field.Invalid(spec.Child("network", "host"), network.Host, "must not be a")}
	}
	if network.cleared().Host == "" && network.Port == 3 {
		return field.ErrorList{field.Invalid(spec.Child("network", "port"), network.Port, "must not be 3")}
	}
	return nil
}

// ValidateNilAgainstEmpty tells a list that is not there from an empty one, which JSON writes.
func ValidateNilAgainstEmpty(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	if obj.Spec.Tags == nil && obj.Spec.Notes != nil {
		errs = append(errs, field.Required(spec.Child("tags"), "notes need them"))
	}
	if obj.Spec.Tags != nil && len(obj.Spec.Tags) == 0 {
		errs = append(errs, field.Invalid(spec.Child("notes"), nil, "must not be empty"))
	}
	return errs
}

// ValidateZeroAgainstNil tells a pointer to zero from none.
func ValidateZeroAgainstNil(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	if obj.Spec.Selected != nil && *obj.Spec.Selected == "" {
		errs = append(errs, field.Invalid(spec.Child("selected"), "", "must not be empty if set"))
	}
	if ptr.Deref(obj.Spec.Limit, -1) == 0 {
		errs = append(errs, field.Invalid(spec.Child("limit"), 0, "must not be zero if set"))
	}
	return errs
}

// ValidatePointerChain follows pointers, each guarded.
func ValidatePointerChain(obj *Thing) field.ErrorList {
	if obj.Spec.Roll != nil && obj.Spec.Roll.Step != nil && obj.Spec.Roll.Step.At != nil && *obj.Spec.Roll.Step.At < 0 {
		return field.ErrorList{field.Invalid(spec.Child("roll", "step", "at"), *obj.Spec.Roll.Step.At, "must not be negative")}
	}
	return nil
}

// ValidateUnguardedChain forgets a guard in the middle.
func ValidateUnguardedChain(obj *Thing) field.ErrorList {
	if roll := obj.Spec.Roll; roll != nil && roll.Step.Kind == "a" {
		return field.ErrorList{field.Invalid(spec.Child("roll", "step", "kind"), "a", "must not be a")}
	}
	return nil
}

func (r *Roll) step() *Step {
	if r == nil {
		return nil
	}
	return r.Step
}

func (s *Step) kind() string {
	if s == nil {
		return "none"
	}
	return s.Kind
}

// ValidateNilReceivers calls getters whose receivers may be nil, as those of protocol buffers.
func ValidateNilReceivers(obj *Thing) field.ErrorList {
	if kind := obj.Spec.Roll.step().kind(); kind == "none" || kind == "b" {
		return field.ErrorList{field.Invalid(spec.Child("roll"), kind, "must have a kind that is not b")}
	}
	return nil
}

// ValidateDefaultedPointer uses a default in place of what is not set, and keeps the object as it is.
func ValidateDefaultedPointer(obj *Thing) field.ErrorList {
	limit := obj.Spec.Limit
	if limit == nil {
		limit = ptr.To[int32](3)
	}
	if *limit < obj.Spec.Replicas {
		return field.ErrorList{field.Invalid(spec.Child("replicas"), obj.Spec.Replicas, "must be at most the limit, which is 3 by default")}
	}
	return nil
}

// ValidatePointersAreEqual compares what two pointers point to, of which each may be nil.
func ValidatePointersAreEqual(obj *Thing) field.ErrorList {
	var first, second *int32
	if len(obj.Spec.Items) > 1 {
		first, second = obj.Spec.Items[0].Weight, obj.Spec.Items[1].Weight
	}
	if ptr.Equal(first, second) && first != nil {
		return field.ErrorList{field.Duplicate(spec.Child("items").Index(1).Child("weight"), *second)}
	}
	return nil
}

// ValidateAllPointersNil asks a function of a library whether all fields of a struct are nil.
func ValidateAllPointersNil(obj *Thing) field.ErrorList {
	if obj.Spec.Roll != nil && ptr.AllPtrFieldsNil(obj.Spec.Roll) {
		return field.ErrorList{field.Required(spec.Child("roll"), "must not be empty")}
	}
	return nil
}

// ValidateInlinedPointer asks for a struct that is inlined by a pointer: it is there if one of its fields is.
func ValidateInlinedPointer(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	for i, group := range obj.Spec.Groups {
		if group.Common == nil {
			errs = append(errs, field.Required(spec.Child("groups").Index(i), "needs an owner"))
		} else if group.Owner == "a" {
			errs = append(errs, field.Invalid(spec.Child("groups").Index(i).Child("owner"), "a", "must not be a"))
		}
	}
	return errs
}

// ValidateAddressOfItem keeps the address of an item of the loop.
func ValidateAddressOfItem(obj *Thing) field.ErrorList {
	var first *Item
	for i := range obj.Spec.Items {
		if item := &obj.Spec.Items[i]; first == nil && item.Network != nil {
			first = item
		}
	}
	if first != nil && first.Count == 0 {
		return field.ErrorList{field.Invalid(spec.Child("items"), nil, "the first with a network has no count")}
	}
	return nil
}

// ValidateEmptyStruct compares a struct with its zero value.
func ValidateEmptyStruct(obj *Thing) field.ErrorList {
	if obj.Spec.Network != nil && *obj.Spec.Network == (Network{}) {
		return field.ErrorList{field.Required(spec.Child("network"), "must not be empty")}
	}
	return nil
}

// ValidateUnguardedInlined asks for a field of a struct that is inlined by a pointer without asking whether it is there.
func ValidateUnguardedInlined(obj *Thing) field.ErrorList {
	if len(obj.Spec.Groups) > 0 && obj.Spec.Groups[0].Owner == "b" {
		return field.ErrorList{field.Invalid(spec.Child("groups").Index(0).Child("owner"), "b", "must not be b")}
	}
	return nil
}

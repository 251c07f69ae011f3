package constructs

import (
	"k8s.io/apimachinery/pkg/util/validation/field"
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
	"ValidateAddress":          ValidateAddress,
	"ValidateFamily":           ValidateFamily,
	"ValidateNetwork":          ValidateNetwork,
	"ValidateLegacyAddress":    ValidateLegacyAddress,
	"ValidateGroups":           ValidateGroups,
	"ValidateUniqueSlice":      ValidateUniqueSlice,
	"ValidateGathered":         ValidateGathered,
	"ValidateOptions":          ValidateOptions,
	"ValidateNestedFlag":       ValidateNestedFlag,
	"ValidateLast":             ValidateLast,
	"ValidateChosenFunction":   ValidateChosenFunction,
	"ValidateHidden":           ValidateHidden,
	"ValidateReturnedTexts":    ValidateReturnedTexts,
	"ValidateMarked":           ValidateMarked,
	"ValidateShares":           ValidateShares,
	"ValidateNumber":           ValidateNumber,
	"ValidateQuantities":       ValidateQuantities,
	"ValidateCharacters":       ValidateCharacters,
	"ValidateParts":            ValidateParts,
}

// Updates are those of an object and the one before.
var Updates = map[string]func(obj, old *Thing) field.ErrorList{
	"ValidateImmutableUpdate":   ValidateImmutableUpdate,
	"ValidateRemovedUpdate":     ValidateRemovedUpdate,
	"ValidateKeyedUpdate":       ValidateKeyedUpdate,
	"ValidateMaskedUpdate":      ValidateMaskedUpdate,
	"ValidateMaskedItemsUpdate": ValidateMaskedItemsUpdate,
	"ValidateSemanticUpdate":    ValidateSemanticUpdate,
}

package constructs

import (
	"math"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// ValidateOverflowingSum adds numbers of 32 bits, whose sum may not have them.
func ValidateOverflowingSum(obj *Thing) field.ErrorList {
	if obj.Spec.Size+obj.Spec.Replicas > 4 {
		return field.ErrorList{field.Invalid(spec.Child("size"), obj.Spec.Size, "is too large with the replicas")}
	}
	return nil
}

// ValidateOverflowingProduct multiplies a number of 32 bits by a constant.
func ValidateOverflowingProduct(obj *Thing) field.ErrorList {
	if obj.Spec.Size*3 < 0 {
		return field.ErrorList{field.Invalid(spec.Child("size"), obj.Spec.Size, "must not be negative")}
	}
	return nil
}

// ValidateWideSum adds them as numbers of 64 bits, which have the sum.
func ValidateWideSum(obj *Thing) field.ErrorList {
	if int64(obj.Spec.Size)+int64(obj.Spec.Replicas) > 4 {
		return field.ErrorList{field.Invalid(spec.Child("size"), obj.Spec.Size, "is too large with the replicas")}
	}
	return nil
}

// ValidateWidenedTooLate widens the sum, which has overflowed before.
func ValidateWidenedTooLate(obj *Thing) field.ErrorList {
	if int64(obj.Spec.Size+obj.Spec.Replicas) > 4 {
		return field.ErrorList{field.Invalid(spec.Child("size"), obj.Spec.Size, "is too large with the replicas")}
	}
	return nil
}

// ValidateNarrowed makes a number of 64 bits one of 32, which loses the upper half.
func ValidateNarrowed(obj *Thing) field.ErrorList {
	if int32(obj.Spec.Big) < 0 {
		return field.ErrorList{field.Invalid(spec.Child("big"), obj.Spec.Big, "must not be negative")}
	}
	return nil
}

// ValidateGuardedNarrowing does it where the number has 32 bits.
func ValidateGuardedNarrowing(obj *Thing) field.ErrorList {
	if obj.Spec.Big < 0 || obj.Spec.Big > math.MaxInt32 {
		return field.ErrorList{field.Invalid(spec.Child("big"), obj.Spec.Big, "must have 31 bits")}
	}
	if int32(obj.Spec.Big) > obj.Spec.Replicas {
		return field.ErrorList{field.Invalid(spec.Child("replicas"), obj.Spec.Replicas, "must be at least big")}
	}
	return nil
}

// ValidateBigSum adds numbers of 64 bits: what overflows in Go is an error in CEL.
func ValidateBigSum(obj *Thing) field.ErrorList {
	if obj.Spec.Big+1 > 3 {
		return field.ErrorList{field.Invalid(spec.Child("big"), obj.Spec.Big, "is too large")}
	}
	return nil
}

// ValidateSmall adds to a number of 8 bits.
func ValidateSmall(obj *Thing) field.ErrorList {
	small := obj.Spec.Small
	small += 64
	if small < 0 {
		return field.ErrorList{field.Invalid(spec.Child("small"), obj.Spec.Small, "is too large")}
	}
	return nil
}

// ValidateUnsigned subtracts from a number without a sign.
func ValidateUnsigned(obj *Thing) field.ErrorList {
	if obj.Spec.Port-1 < 1023 {
		return field.ErrorList{field.Invalid(spec.Child("port"), obj.Spec.Port, "must not be a port of the system")}
	}
	return nil
}

// ValidateNegated negates the smallest number, which has no opposite.
func ValidateNegated(obj *Thing) field.ErrorList {
	if -obj.Spec.Small < 0 {
		return field.ErrorList{field.Invalid(spec.Child("small"), obj.Spec.Small, "must be negative")}
	}
	return nil
}

// ValidateAsFloat divides whole numbers as such without one.
func ValidateAsFloat(obj *Thing) field.ErrorList {
	if float64(obj.Spec.Replicas)/2 > 1.4 {
		return field.ErrorList{field.Invalid(spec.Child("replicas"), obj.Spec.Replicas, "is too large")}
	}
	return nil
}

// ValidateTruncated makes a number whole.
func ValidateTruncated(obj *Thing) field.ErrorList {
	if int(obj.Spec.Ratio) == 0 {
		return field.ErrorList{field.Invalid(spec.Child("ratio"), obj.Spec.Ratio, "must be at least one")}
	}
	return nil
}

// ValidateRatio compares a number that is not whole.
func ValidateRatio(obj *Thing) field.ErrorList {
	if obj.Spec.Ratio < 0 || obj.Spec.Ratio*2 > 3 {
		return field.ErrorList{field.Invalid(spec.Child("ratio"), obj.Spec.Ratio, "must be between 0 and 1.5")}
	}
	return nil
}

// ValidateRemainder has a remainder with the sign of what is divided.
func ValidateRemainder(obj *Thing) field.ErrorList {
	if obj.Spec.Replicas%2 == 1 {
		return field.ErrorList{field.Invalid(spec.Child("replicas"), obj.Spec.Replicas, "must be even")}
	}
	return nil
}

// ValidateRoundedUp divides and rounds up, which adds before it divides.
func ValidateRoundedUp(obj *Thing) field.ErrorList {
	if (int(obj.Spec.Replicas)+2)/3 > 1 {
		return field.ErrorList{field.Invalid(spec.Child("replicas"), obj.Spec.Replicas, "needs more than one group")}
	}
	return nil
}

// ValidateMinMax has the built-in functions min and max.
func ValidateMinMax(obj *Thing) field.ErrorList {
	if max(obj.Spec.Replicas, obj.Status.Ready, 0) > 2 || min(obj.Spec.Replicas, obj.Status.Ready) < 0 {
		return field.ErrorList{field.Invalid(spec.Child("replicas"), obj.Spec.Replicas, "must be between 0 and 2, as those that are ready")}
	}
	return nil
}

// ValidateSteppedNumber changes a number step by step.
func ValidateSteppedNumber(obj *Thing) field.ErrorList {
	n := obj.Spec.Replicas
	if obj.Spec.Paused {
		n--
	}
	n *= 2
	if n == 4 {
		return field.ErrorList{field.Invalid(spec.Child("replicas"), obj.Spec.Replicas, "must not be 2, or 3 if paused")}
	}
	return nil
}

// ValidateBits asks whether a number is a power of two.
func ValidateBits(obj *Thing) field.ErrorList {
	if n := obj.Spec.Replicas; n > 0 && n&(n-1) != 0 {
		return field.ErrorList{field.Invalid(spec.Child("replicas"), n, "must be a power of two")}
	}
	return nil
}

const unit = 1 << 2

// ValidateUntypedConstants computes with constants that have no type.
func ValidateUntypedConstants(obj *Thing) field.ErrorList {
	const most = unit*2 - 5
	if obj.Spec.Replicas > most || int64(obj.Spec.Replicas) < -unit/4 {
		return field.ErrorList{field.Invalid(spec.Child("replicas"), obj.Spec.Replicas, "must be at most 3")}
	}
	return nil
}

// ValidateOddNumber is how clusters that vote count their members.
func ValidateOddNumber(obj *Thing) field.ErrorList {
	if n := len(obj.Spec.Items); n > 0 && n%2 == 0 {
		return field.ErrorList{field.Invalid(spec.Child("items"), n, "must be odd")}
	}
	return nil
}

// ValidateSumOfFields adds what may not be there.
func ValidateSumOfFields(obj *Thing) field.ErrorList {
	total := int(obj.Spec.Replicas)
	if obj.Spec.Limit != nil {
		total += int(*obj.Spec.Limit)
	}
	if obj.Spec.Network != nil {
		total += int(obj.Spec.Network.Port)
	}
	if total > 7 {
		return field.ErrorList{field.Invalid(spec, total, "is too large in total")}
	}
	return nil
}

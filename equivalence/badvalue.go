package equivalence

import (
	"reflect"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/diffrun/diffrun/internal/fielderror"
)

// badValue is what an error says about the offending value.
type badValue struct{ fielderror.Value }

// contradicts says that two errors are about different values for certain.
func (b badValue) contradicts(other badValue) bool {
	return b.Scalar && other.Scalar && !sameScalar(b.Text, other.Text)
}

// present says that there is a value for certain, and not the zero value of its
// type, which KEP-4153 takes for an absent one ("Zero-Valued Primitive Fields").
func (b badValue) present() bool {
	if b.Scalar {
		return b.Text != "0" && b.Text != "false"
	}
	if b.Whole == nil {
		return false
	}
	v := reflect.ValueOf(b.Whole)
	if v.Kind() == reflect.Slice || v.Kind() == reflect.Map {
		return v.Len() > 0
	}
	return !v.IsZero()
}

// confirms says that two errors name the same value.
func (b badValue) confirms(other badValue) bool {
	return b.Scalar && other.Scalar && sameScalar(b.Text, other.Text)
}

// sameScalar compares texts; numbers, quantities and durations by their amount,
// because one side often reports the canonical form ("1" for "1000m", "1h0m0s" for
// "60m").
func sameScalar(a, b string) bool {
	if a == b {
		return true
	}
	if !startsAmount(a) || !startsAmount(b) {
		return false
	}
	x, errX := resource.ParseQuantity(a)
	y, errY := resource.ParseQuantity(b)
	if errX == nil && errY == nil {
		return x.Cmp(y) == 0
	}
	long, errA := time.ParseDuration(a)
	other, errB := time.ParseDuration(b)
	return errA == nil && errB == nil && long == other
}

func startsAmount(text string) bool {
	return text != "" && strings.IndexByte("+-.0123456789", text[0]) >= 0
}

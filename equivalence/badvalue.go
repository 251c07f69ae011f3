package equivalence

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
)

// badValue is what an error says about the offending value.
type badValue struct{ fielderror.Value }

// amount says how texts are compared that stand for something else. It is a closed set.
type amount string

const (
	// noAmount: a text is equal to a text only by its letters.
	noAmount amount = ""
	// quantityAmount: "1000m" is "1".
	quantityAmount amount = "quantity"
	// durationAmount: "60m" is "1h0m0s".
	durationAmount amount = "duration"
)

func (a *amount) UnmarshalText(text []byte) error {
	if *a = amount(text); *a == quantityAmount || *a == durationAmount {
		return nil
	}
	return fmt.Errorf("unknown amount %q; accepted: %s, %s", text, quantityAmount, durationAmount)
}

// contradicts says that two errors are about different values for certain.
func (b badValue) contradicts(other badValue, as amount) bool {
	if b.Kind == fielderror.TypeName && other.Kind == fielderror.TypeName {
		return b.Text != other.Text
	}
	return b.Scalar() && other.Scalar() && !b.same(other, as)
}

// present says that there is a value for certain, and not the zero value of its
// type, which KEP-4153 takes for an absent one ("Zero-Valued Primitive Fields").
func (b badValue) present() bool {
	switch b.Kind {
	case fielderror.Unnamed, fielderror.TypeName:
		return false
	case fielderror.Number, fielderror.Quantity:
		return b.Text != "0"
	case fielderror.Boolean:
		return b.Text != "false"
	case fielderror.Duration:
		return b.Text != "0s"
	case fielderror.Composite:
		v := reflect.ValueOf(b.Whole)
		if v.Kind() == reflect.Slice || v.Kind() == reflect.Map {
			return v.Len() > 0
		}
		return !v.IsZero()
	}
	return true
}

// confirms says that two errors name the same value.
func (b badValue) confirms(other badValue, as amount) bool {
	return b.Scalar() && other.Scalar() && b.same(other, as)
}

// same compares scalars. Values of JSON are equal if their texts are: a number has one. A Go value that
// JSON has as a text says of the text on the other side what it is, and has upstream's precision.
func (b badValue) same(other badValue, as amount) bool {
	if b.Text == other.Text {
		return true
	}
	for _, pair := range [][2]badValue{{b, other}, {other, b}} {
		if typed, text := pair[0], pair[1]; typed.Kind > fielderror.Boolean {
			return typed.isWritten(text.Text)
		}
	}
	switch as {
	case quantityAmount:
		return fielderror.SameQuantity(b.Text, other.Text)
	case durationAmount:
		return fielderror.SameDuration(b.Text, other.Text)
	}
	return false
}

// isWritten reports whether a Go value can be written as a text.
func (b badValue) isWritten(text string) bool {
	switch b.Kind {
	case fielderror.Quantity:
		x, errX := resource.ParseQuantity(b.Text)
		y, errY := resource.ParseQuantity(text)
		return errX == nil && errY == nil && x.Cmp(y) == 0
	case fielderror.Duration:
		x, errX := time.ParseDuration(b.Text)
		y, errY := time.ParseDuration(text)
		return errX == nil && errY == nil && x == y
	case fielderror.Time:
		x, errX := time.Parse(time.RFC3339Nano, b.Text)
		y, errY := time.Parse(time.RFC3339Nano, text)
		return errX == nil && errY == nil && x.Equal(y)
	}
	return false
}

// quantityPattern is what controller-gen writes for a resource.Quantity, which has no format.
const quantityPattern = `^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$`

// amount is what the schema says that the texts of the error's field are.
func (l line) amount() amount {
	switch {
	case l.declared == nil:
		return noAmount
	case slices.Contains(l.declared.Keyword(l.err.Field, "format"), string(quantityAmount)),
		slices.Contains(l.declared.Keyword(l.err.Field, "pattern"), quantityPattern):
		return quantityAmount
	case slices.Contains(l.declared.Keyword(l.err.Field, "format"), string(durationAmount)):
		return durationAmount
	}
	return noAmount
}

// amountOf is what the schema says that the texts of two errors are. At two fields, it must say so of
// both.
func amountOf(a, b line) amount {
	as := a.amount()
	if as == noAmount || a.field != b.field && b.amount() != as {
		return noAmount
	}
	return as
}

// bad is the value of an error, read with what the schema knows. apiextensions-apiserver names the type
// that the schema declares in place of a value, and, in an error about the type, that of the value. Other
// such names are texts.
func (l line) bad() badValue {
	value := l.value
	if value.Kind != fielderror.TypeName || l.err.Type == field.ErrorTypeTypeInvalid {
		return value
	}
	if l.err.Type != field.ErrorTypeInvalid || l.declaresOtherType(value.Text) {
		value.Kind = fielderror.String
	}
	return value
}

// declaresOtherType reports whether the schema declares a type at the field of the error, and not the
// one of this name.
func (l line) declaresOtherType(name string) bool {
	if l.declared == nil {
		return false
	}
	types := l.declared.Keyword(l.err.Field, "type")
	return len(types) > 0 && !slices.ContainsFunc(types, func(listed string) bool {
		return slices.Contains(strings.Split(listed, ","), name)
	})
}

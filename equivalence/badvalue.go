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

// badValue is the bad value of an error.
type badValue struct{ fielderror.Value }

// amount tells how to compare texts that represent amounts. It is a closed set.
type amount string

const (
	// noAmount: texts are equal only if they are identical.
	noAmount amount = ""
	// quantityAmount: "1000m" equals "1".
	quantityAmount amount = "quantity"
	// durationAmount: "60m" equals "1h0m0s".
	durationAmount amount = "duration"
)

func (a *amount) UnmarshalText(text []byte) error {
	if *a = amount(text); *a == quantityAmount || *a == durationAmount {
		return nil
	}
	return fmt.Errorf("unknown amount %q; accepted: %s, %s", text, quantityAmount, durationAmount)
}

// JSONSchema implements strictyaml.Described.
func (amount) JSONSchema() map[string]any {
	return map[string]any{"enum": []amount{quantityAmount, durationAmount}}
}

// contradicts reports whether two errors are certainly about different values.
func (b badValue) contradicts(other badValue, as amount) bool {
	if b.Kind == fielderror.TypeName && other.Kind == fielderror.TypeName {
		return b.Text != other.Text
	}
	return b.Scalar() && other.Scalar() && !b.same(other, as)
}

// present reports whether there certainly is a value other than the zero value of its type, which
// KEP-4153 treats as absent ("Zero-Valued Primitive Fields").
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

// confirms reports whether two errors name the same value.
func (b badValue) confirms(other badValue, as amount) bool {
	return b.Scalar() && other.Scalar() && b.same(other, as)
}

// same reports whether two scalars are equal. JSON values are equal if their types and texts are, because each
// number has one text: the text "11" is not the number 11. If one is a Go value that JSON writes as a text, the
// other text is parsed as its type, with upstream's precision.
func (b badValue) same(other badValue, as amount) bool {
	if b.Text == other.Text {
		return b.Kind == other.Kind || b.Kind > fielderror.Boolean || other.Kind > fielderror.Boolean
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

// isWritten reports whether a text represents the Go value.
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

// quantityPattern is the pattern that controller-gen writes for a resource.Quantity, which has no format.
const quantityPattern = `^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))))?$`

// amount returns the amount that the schema declares at the error's field.
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

// amountOf returns the amount that the schema declares for two errors. Different fields must both declare
// it.
func amountOf(a, b line) amount {
	as := a.amount()
	if as == noAmount || a.field != b.field && b.amount() != as {
		return noAmount
	}
	return as
}

// bad returns the value of an error, interpreted with the schema. apiextensions-apiserver reports the
// declared type in place of a value and, in an error about the type, the type of the value. Other names
// of types are texts.
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

// declaresOtherType reports whether the schema declares types at the error's field, but not this one.
func (l line) declaresOtherType(name string) bool {
	if l.declared == nil {
		return false
	}
	types := l.declared.Keyword(l.err.Field, "type")
	return len(types) > 0 && !slices.ContainsFunc(types, func(listed string) bool {
		return slices.Contains(strings.Split(listed, ","), name)
	})
}

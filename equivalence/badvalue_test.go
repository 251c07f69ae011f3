package equivalence_test

import (
	"math"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
)

// panicking is a type that must not be marshalled, as internal types once were.
type panicking struct{ A int }

func (panicking) MarshalJSON() ([]byte, error) { panic("not for the wire") }

func TestMatchBadValues(t *testing.T) {
	quantity := resource.MustParse("1500m")
	number := int32(5)
	for name, test := range map[string]struct {
		why                 string
		native, declarative any
		agree               bool
	}{
		"equal":             {"the plain case", "a", "a", true},
		"different":         {"two values are two errors", "a", "b", false},
		"different numbers": {"two values are two errors", 1, int64(2), false},
		"unknown":           {"field.Required and transition errors name no value", "a", nil, true},
		"empty":             {"an empty text is how field.Required says that it names none", "a", "", true},
		"empty, named":      {"whatever the type of the text", field.ErrorType(""), "a", true},
		"omitted":           {"field.TooLong omits the value", "a", "<value omitted>", true},
		"omit type":         {"so do CEL rules on objects", "a", field.OmitValueType{}, true},
		"type name":         {"apiextensions-apiserver names the type of the value", "a", "string", true},
		"pointer":           {"internal types hold pointers", &number, int64(5), true},
		"nil pointer":       {"a pointer to nothing names no value", (*int32)(nil), int64(5), true},
		"named type":        {"enumerations have types of their own", field.ErrorType("Always"), "Always", true},
		"float":             {"JSON has one kind of number", int32(5), 5.0, true},
		"quantity":          {"a quantity is a struct in Go and a text in JSON", quantity, "1500m", true},
		"canonical amount":  {"hand-written code reports the canonical amount", "1", "1000m", true},
		"duration":          {"a duration is a struct in Go and a text in JSON", metav1.Duration{Duration: time.Hour}, "60m", true},
		"other duration":    {"but not another one", "1h0m0s", "61m", false},
		"Go syntax":         {"a struct that only a text is left of is still a struct", `v1.A{B:(*int)(nil)}`, "a", true},
		"nil in Go syntax":  {"a list that is not there", `[]v1.A(nil)`, "a", true},
		"list in Go syntax": {"of anything", `[]interface {}{"x"}`, "a", true},
		"a text in braces":  {"is no value of Go", `${a}`, "a", false},
		"other quantity":    {"but not another amount", quantity, "1501m", false},
		"int or string":     {"a struct that stands for a scalar", intstr.FromInt32(5), int64(5), true},
		"other int":         {"a struct that stands for a scalar", intstr.FromInt32(5), int64(6), false},
		"percent":           {"a struct that stands for a scalar", intstr.FromString("5%"), "5%", true},
		"composite":         {"an internal struct and its JSON cannot be compared", struct{ A int }{1}, map[string]any{"a": 2}, true},
		"bool":              {"two values are two errors", true, false, false},
		"panic":             {"some values cannot be looked into", panicking{1}, panicking{2}, true},
		"func":              {"some values cannot be looked into", func() {}, 1, true},
		"not a number":      {"a float that JSON does not have", math.NaN(), math.NaN(), true},
	} {
		t.Run(name, func(t *testing.T) {
			pairs := builtin(t).Match(
				field.ErrorList{invalid("spec.a", test.native, "must be odd")},
				field.ErrorList{invalid("spec.a", test.declarative, "must be odd")})
			want := equivalence.Class("")
			if !test.agree {
				want = equivalence.Detail
			}
			if len(pairs) != 1 || pairs[0].Class != want {
				t.Errorf("%s: got %v, want class %q", test.why, summary(pairs), want)
			}
		})
	}
}

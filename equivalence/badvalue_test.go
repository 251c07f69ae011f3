package equivalence_test

import (
	"encoding/json"
	"math"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
)

// panicking is a type that must not be marshalled, as internal types once were.
type panicking struct{ A int }

func (panicking) MarshalJSON() ([]byte, error) { panic("not for the wire") }

func TestMatchBadValues(t *testing.T) {
	noon := time.Date(2026, 1, 2, 12, 0, 0, 0, time.UTC)
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
		"empty":             {"field.Required reports an empty text if there is no value", "a", "", true},
		"empty, named":      {"whatever the type of the text is", field.ErrorType(""), "a", true},
		"omitted":           {"field.TooLong omits the value", "a", "<value omitted>", true},
		"omit type":         {"so do CEL rules on objects", "a", field.OmitValueType{}, true},
		"type name":         {"apiextensions-apiserver names the type of the value", "a", "string", true},
		"pointer":           {"internal types hold pointers", &number, int64(5), true},
		"nil pointer":       {"a pointer to nothing names no value", (*int32)(nil), int64(5), true},
		"named type":        {"enumerations have their own types", field.ErrorType("Always"), "Always", true},
		"float":             {"JSON has one kind of number", int32(5), 5.0, true},
		"quantity":          {"a quantity is a struct in Go and a text in JSON", quantity, "1500m", true},
		"amount":            {"the texts are not declared as quantities", "1", "1000m", false},
		"zero at the end":   {"a version is a text", "1.10", "1.1", false},
		"zeros in front":    {"a code is a text", "007", "7", false},
		"text of a minute":  {"a text is a duration only if it is declared as one", "1m", "60s", false},
		"large amount":      {"and a quantity as well", "1Ki", "1024", false},
		"number and text":   {"the text is another value: a field may take both", "5", int64(5), false},
		"truth and text":    {"so is the text of a boolean", "true", true, false},
		"other form":        {"but a text in a different form is a different text", "5.0", int64(5), false},
		"number of JSON":    {"a number has many forms in JSON", json.Number("1e3"), 1000, true},
		"recorded number":   {"as do recorded ones", json.RawMessage("1.50"), 1.5, true},
		"recorded text":     {"a recorded text is not one", json.RawMessage(`"1.50"`), 1.5, false},
		"big integers":      {"beyond the precision of a float", int64(9007199254740993), int64(9007199254740992), false},
		"big and float":     {"a float has a different value", int64(9007199254740993), float64(9007199254740992), false},
		"bigger integers":   {"beyond 64 bits", json.Number("18446744073709551617"), json.Number("18446744073709551616"), false},
		"tiny numbers":      {"below the precision of a quantity", 1e-10, 9e-10, false},
		"tiny texts":        {"below the precision of a quantity", "1e-10", "9e-10", false},
		"huge exponents": {"equal if all digits are, wherever they would be cut off", json.Number("1e999999999"),
			json.Number("10e999999998"), true},
		"small float":       {"a float32 has fewer digits", float32(0.1), 0.1, true},
		"minus zero":        {"JSON has it, and it is zero", math.Copysign(0, -1), 0, true},
		"case":              {"letters are compared as they are", "Always", "always", false},
		"form of letters":   {"so are accents", "\u00e9", "e\u0301", false},
		"space":             {"and white space", "a", "a ", false},
		"bytes":             {"bytes are base64 in JSON", []byte("a"), "YQ==", true},
		"other bytes":       {"and can be others", []byte("a"), "Yg==", false},
		"Go duration":       {"a duration determines the meaning of the text", time.Hour, "60m", true},
		"short duration":    {"whatever its unit is", metav1.Duration{Duration: time.Millisecond}, "2ms", false},
		"time":              {"a time is a text in JSON, in any zone", metav1.NewTime(noon), "2026-01-02T13:00:00+01:00", true},
		"fraction of time":  {"to the nanosecond", metav1.NewMicroTime(noon), "2026-01-02T12:00:00.5Z", false},
		"typed amount":      {"a quantity determines the meaning of the text", quantity, "1.5", true},
		"typed, tiny":       {"and holds no less than 1n", resource.MustParse("1e-10"), "1n", true},
		"braces":            {"a text with braces is not a Go value", "path/{id}", "path/{name}", false},
		"name and braces":   {"not even with a name in front", "foo{bar}", "foo{baz}", false},
		"named types":       {"the names of two types are different values", "string", "integer", false},
		"duration":          {"a duration is a struct in Go and a text in JSON", metav1.Duration{Duration: time.Hour}, "60m", true},
		"other duration":    {"but not a different one", "1h0m0s", "61m", false},
		"Go syntax":         {"a struct that arrives as text is still a struct", `v1.A{B:(*int)(nil)}`, "a", true},
		"nil in Go syntax":  {"a list that is not there", `[]v1.A(nil)`, "a", true},
		"list in Go syntax": {"of any type", `[]interface {}{"x"}`, "a", true},
		"a text in braces":  {"is not a Go value", `${a}`, "a", false},
		"other quantity":    {"but not a different quantity", quantity, "1501m", false},
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
			want := difference.Class("")
			if !test.agree {
				want = difference.Detail
			}
			if len(pairs) != 1 || pairs[0].Class != want {
				t.Errorf("%s: got %v, want class %q", test.why, summary(pairs), want)
			}
		})
	}
}

// A text is compared as a quantity if the schema or a rule declares it as one, and then exactly.
func TestMatchAmounts(t *testing.T) {
	const (
		quantityOfControllerGen = `^(\+|-)?(([0-9]+(\.[0-9]*)?)|(\.[0-9]+))(([KMGTPE]i)|[numkMGTPE]|([eE](\+|-)?(([0-9]+(\.[0-9]*)` +
			`?)|(\.[0-9]+))))?$`
		rules = `
- name: lifetimes
  why: hand-written code reports the canonical form
  type: FieldValueInvalid
  native: must be short
  declarative: must be short
  amount: duration
  examples:
    match: [[{detail: must be short, value: 1h0m0s}, {detail: must be short, value: 60m}]]
    differ: [[{detail: must be short, value: 1h0m0s}, {detail: must be short, value: 61m}]]
`
	)
	quantities, durations := map[string]string{"format": "quantity"}, map[string]string{"format": "duration"}
	for name, test := range map[string]struct {
		why                 string
		schema              map[string]string
		detail              string
		native, declarative any
		want                string
	}{
		"quantity": {"the schema declares it", quantities, "must be odd", "1", "1000m", "="},
		"quantity of controller-gen": {"it has a pattern instead of a format", map[string]string{"pattern": quantityOfControllerGen},
			"must be odd", "1Ki", "1024", "="},
		"quantity and number": {"a number is one, too", quantities, "must be odd", "500m", 0.5, "="},
		"exponent":            {"and an exponent", quantities, "must be odd", "12e6", "12M", "="},
		"exa":                 {"which is no suffix", quantities, "must be odd", "1E", "1e18", "="},
		"tiny quantities":     {"upstream rounds them up to 1n", quantities, "must be odd", "1e-10", "9e-10", "detail"},
		"tiny digits":         {"and these to 1.000000001", quantities, "must be odd", "1.0000000001", "1.0000000002", "detail"},
		"large quantities": {"upstream caps them", quantities, "must be odd", "9223372036854775808E", "9223372036854775809E",
			"detail"},
		"quantity that is none":     {"texts are texts", quantities, "must be odd", "one", "1", "detail"},
		"duration":                  {"the schema declares it", durations, "must be odd", "1h0m0s", "60m", "="},
		"parts of nanoseconds":      {"Go cuts them off", durations, "must be odd", "1.0000000001s", "1.0000000002s", "detail"},
		"duration as quantity":      {"1m is no minute", quantities, "must be odd", "1m", "60s", "detail"},
		"quantity as duration":      {"1000m is no second", durations, "must be odd", "1000m", "1", "detail"},
		"other format":              {"a version is a text", map[string]string{"format": "semver"}, "must be odd", "1.10", "1.1", "detail"},
		"rule":                      {"a rule of the error declares it", nil, "must be short", "1h0m0s", "60m", "lifetimes"},
		"rule about another amount": {"1000m is no second", nil, "must be short", "1000m", "1", "detail"},
		"rule of another error":     {"it does not declare this one", nil, "must be odd", "1h0m0s", "60m", "detail"},
	} {
		t.Run(name, func(t *testing.T) {
			set, err := equivalence.LoadRules("rules.yaml", []byte(rules))
			if err != nil {
				t.Fatal(err)
			}
			declared := declares{keywords: map[string]map[string]string{"spec.a": test.schema}}
			pairs := matchBy(equivalence.NewMatcher(set), list{invalid("spec.a", test.native, test.detail)},
				list{invalid("spec.a", test.declarative, test.detail)}, declared)
			if got, _, _ := strings.Cut(summary(pairs)[0], ":"); got != test.want {
				t.Errorf("%s: got %s, want %s", test.why, got, test.want)
			}
		})
	}
}

// A text that looks like the name of a type is compared as a type only in errors that name types.
func TestMatchNamesOfTypes(t *testing.T) {
	text := declares{keywords: map[string]map[string]string{"spec.a": {"type": "string"}}}
	for name, test := range map[string]struct {
		why      string
		err      field.ErrorType
		native   any
		said     string
		declared difference.Declarations
		want     string
	}{
		"invalid":           {"apiextensions-apiserver names the type", field.ErrorTypeInvalid, "a", "string", text, "="},
		"another type":      {"the schema has no objects there", field.ErrorTypeInvalid, "a", "object", text, "detail"},
		"no schema":         {"nobody knows", field.ErrorTypeInvalid, "a", "object", nil, "="},
		"type of the value": {"errors about types name the type of the value", field.ErrorTypeTypeInvalid, 5, "integer", text, "="},
		"not supported":     {"these errors name values only", field.ErrorTypeNotSupported, "number", "string", text, "detail"},
		"duplicate":         {"and so do these", field.ErrorTypeDuplicate, "a", "string", text, "detail"},
	} {
		t.Run(name, func(t *testing.T) {
			of := func(value any) list {
				return list{{Type: test.err, Field: "spec.a", BadValue: value, Detail: "must be odd"}}
			}
			if got, _, _ := strings.Cut(summary(matchBy(builtin(t), of(test.native), of(test.said), test.declared))[0],
				":"); got != test.want {
				t.Errorf("%s: got %s, want %s", test.why, got, test.want)
			}
		})
	}
}

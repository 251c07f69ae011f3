package declarative_test

import (
	"testing"

	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// TestEnumOfNumbers checks which numbers are members of an enum whose integers were decoded as integers, as
// those of definitions are. The reference returns the API server's answer.
func TestEnumOfNumbers(t *testing.T) {
	for _, tt := range []struct {
		why, enum        string
		number           any
		served, proposed bool // the errors with CustomResources and with NativeTypes
		processor        bool // the API server's answer depends on the processor
	}{
		{"itself", "[2]", int64(2), true, true, false},
		{"the same as a float", "[2]", 2.0, true, true, false},
		{"the API server cuts the fraction off", "[2]", 2.5, true, false, false},
		{"whose exponent rounds everything above -1 to zero", "[0]", -0.5, true, false, false},
		{"and not where the member has a fraction itself", "[2.25]", 2.5, false, false, false},
		{"an integer is not cut", "[2.5]", int64(2), false, false, false},
		{"a large integer", "[9007199254740993]", int64(9007199254740993), true, true, false},
		{"a different one with the same float", "[9007199254740993]", int64(9007199254740992), false, false, false},
		{"the greatest integer", "[9223372036854775807]", int64(9223372036854775807), true, true, false},
		{"the next to it", "[9223372036854775807]", int64(9223372036854775806), false, false, false},
		{"a float beyond integers", "[1.0e+19]", 1e19, true, true, false},
		{"a different one", "[1.0e+19]", 2e19, false, false, false},
		{"a float beyond the range of integers, which converts to any of them", "[-9223372036854775808]", 1e19, false, false, true},
	} {
		text := "{type: object, properties: {a: {type: number, enum: " + tt.enum + "}}}"
		schema, obj := served.Converted(t, served.Props(t, text)), map[string]any{"a": tt.number}
		for semantics, want := range map[declarative.Semantics]bool{
			declarative.CustomResources: tt.served,
			declarative.NativeTypes:     tt.proposed,
		} {
			v, err := declarative.Compile(schema, declarative.Options{Semantics: semantics})
			if err != nil {
				t.Fatal(err)
			}
			errs := v.Validate(t.Context(), value.NewValueInterface(obj), nil)
			if (len(errs) == 0) != want {
				t.Errorf("%s, semantics %d: %v in %s: %v", tt.why, semantics, tt.number, tt.enum, errs)
			}
			if semantics != declarative.CustomResources || tt.processor {
				continue
			}
			if d, _ := compared(t.Context(), differentialCase{schema: text}.harnessOf(t), pair{obj: obj}); d != "" {
				t.Errorf("%s: %v in %s: %s", tt.why, tt.number, tt.enum, d)
			}
		}
	}
}

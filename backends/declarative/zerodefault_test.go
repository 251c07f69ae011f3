package declarative_test

import (
	"fmt"
	"strings"
	"testing"

	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/backends/declarative/defaulting"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// zeroDefaults are schemas of a field that strips zeros, with the zero and a different value as the default.
func zeroDefaults() []struct{ typ, zero, other string } {
	return []struct{ typ, zero, other string }{
		{"type: boolean", "false", "true"}, {"type: integer", "0", "1"}, {"type: number", "0.0", "0.5"},
		{"type: number", "0", "1"}, {"type: string", `""`, "x"},
		{"x-kubernetes-int-or-string: true", "0", "1"}, {"x-kubernetes-int-or-string: true", `""`, "x"},
		{"type: array, items: {type: string}", "[]", "[x]"},
		{"type: array, x-kubernetes-list-type: set, items: {type: string}", "[]", "[x]"},
		{"type: object, additionalProperties: {type: string}", "{}", "{x: x}"},
		{"type: object, properties: {x: {type: string}}", "{}", "{x: x}"},
	}
}

// TestDefaultThatIsZero: if a field strips zeros and its default is the zero, it has that value once defaults
// are set, for rules and for every keyword (KEP-4153, "Optional Zero Fields": defaults are set after zeros
// are stripped).
func TestDefaultThatIsZero(t *testing.T) {
	for _, at := range []struct {
		name, schema, object string // with placeholders for the schema of an object and for the object
	}{
		{"field", `{IN}`, `OBJECT`},
		{"nested", `{type: object, properties: {in: {IN}}}`, `{in: OBJECT}`},
		{"item", `{type: object, properties: {in: {type: array, items: {IN}}}}`, `{in: [OBJECT]}`},
		{"entry", `{type: object, additionalProperties: {IN}}`, `{in: OBJECT}`},
		{"in a default", `{type: object, properties: {in: {IN, default: {}}}}`, `{}`},
		{"in a default of an item", `{type: object, properties: {in: {type: array, items: {type: object, properties: {in: {IN, ` +
			`default: {}}}}}}}`, `{in: [{}, {in: OBJECT}]}`},
		{"in a reference", `{type: object, properties: {in: {$ref: "#/definitions/It"}}}`, `{in: OBJECT}`},
		{"beside a reference", `{type: object, properties: {in: {$ref: "#/definitions/It", maxProperties: 9}}}`, `{in: OBJECT}`},
	} {
		for _, tt := range zeroDefaults() {
			for _, filled := range []string{tt.zero, tt.other} {
				field := fmt.Sprintf("{%s, x-kubernetes-strip-zero: true, default: %s}", tt.typ, filled)
				in := `type: object, required: [h], minProperties: 1, properties: {h: ` + field +
					`}, x-kubernetes-validations: [{rule: has(self.h), message: none}, {rule: "size([self.h]) == 1", message: nothing}]`
				for _, object := range []string{"{}", "{h: null}", "{h: " + tt.zero + "}", "{h: " + tt.other + "}"} {
					definitions := map[string]*spec.Schema{"It": served.Schema(t, "{"+in+"}")}
					text, object := strings.ReplaceAll(at.schema, "IN", in), strings.ReplaceAll(at.object, "OBJECT", object)
					if got := defaultedErrors(t, text, definitions, object); len(got) > 0 {
						t.Errorf("%s: %s, object %s: %v", at.name, field, object, got)
					}
				}
			}
		}
	}
}

// TestItemsAndEntriesThatAreZero: the same holds for an item, and for the value of a key.
func TestItemsAndEntriesThatAreZero(t *testing.T) {
	for _, tt := range zeroDefaults() {
		field := fmt.Sprintf("{%s, x-kubernetes-strip-zero: true, default: %s}", tt.typ, tt.zero)
		text := `{type: object, properties: {l: {type: array, minItems: 3, items: ` + field +
			`}, m: {type: object, required: [a, b, c], minProperties: 3, additionalProperties: ` + field + `}}, ` +
			`x-kubernetes-validations: [{rule: 'self.l.size() == 3 && self.l.all(x, x == self.l[0] || x == self.l[2])', message: ` +
			`items}, {rule: "self.m.size() == 3 && 'a' in self.m && 'b' in self.m && self.m.a == self.m.b", message: entries}]}`
		object := fmt.Sprintf("{l: [%[1]s, null, %[2]s], m: {a: %[1]s, b: null, c: %[2]s}}", tt.zero, tt.other)
		if got := defaultedErrors(t, text, nil, object); len(got) > 0 {
			t.Errorf("%s: %v", field, got)
		}
	}
}

// defaultedErrors returns the errors of an object after its defaults were set.
func defaultedErrors(t *testing.T, text string, definitions map[string]*spec.Schema, written string) []string {
	t.Helper()
	s := served.Schema(t, text)
	d, err := defaulting.Compile(s, defaulting.Options{Definitions: definitions})
	if err != nil {
		t.Fatal(err)
	}
	v, err := declarative.Compile(s, declarative.Options{Definitions: definitions, WithoutEstimation: true})
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return lines(v.Validate(t.Context(), value.NewValueInterface(d.Default(object(t, written))), nil))
}

// TestZerosBesideDefaults: zeros are stripped unless the zero is the default. The default of a referenced
// schema counts if the schema beside the reference has none.
func TestZerosBesideDefaults(t *testing.T) {
	definitions := map[string]*spec.Schema{
		"Strips": served.Schema(t, `{type: integer, x-kubernetes-strip-zero: true}`),
		"Zero":   served.Schema(t, `{type: integer, x-kubernetes-strip-zero: true, default: 0}`),
		"Two":    served.Schema(t, `{type: integer, x-kubernetes-strip-zero: true, default: 2}`),
	}
	for _, tt := range []struct {
		field string
		set   bool // of the zero
	}{
		{`{type: integer, x-kubernetes-strip-zero: true}`, false},
		{`{type: integer, x-kubernetes-strip-zero: true, default: 2}`, false},
		{`{type: integer, x-kubernetes-strip-zero: true, default: 0}`, true},
		{`{type: integer, default: 0}`, true},
		{`{type: integer}`, true},
		{`{$ref: "#/definitions/Strips"}`, false},
		{`{$ref: "#/definitions/Strips", maximum: 3}`, false},
		{`{$ref: "#/definitions/Strips", default: 0}`, true},
		{`{allOf: [{$ref: "#/definitions/Strips"}], default: 0}`, true},
		{`{$ref: "#/definitions/Strips", default: 2}`, false},
		{`{$ref: "#/definitions/Zero"}`, true},
		{`{$ref: "#/definitions/Zero", maximum: 3}`, true},
		{`{$ref: "#/definitions/Zero", default: 2}`, false},
		{`{$ref: "#/definitions/Two", default: 0}`, true},
		{`{$ref: "#/definitions/Two", x-kubernetes-strip-zero: true}`, false},
	} {
		text := `{type: object, required: [h], properties: {h: ` + tt.field +
			`}, x-kubernetes-validations: [{rule: has(self.h), message: none}]}`
		v, err := declarative.Compile(served.Schema(t, text), declarative.Options{Definitions: definitions})
		if err != nil {
			t.Fatal(err)
		}
		for name, object := range map[string]value.Value{
			"document": value.NewValueInterface(map[string]any{"h": int64(0)}),
			"struct": goValue(t, &struct {
				H int `json:"h"`
			}{}),
		} {
			got := lines(v.Validate(t.Context(), object, nil))
			if tt.set != (len(got) == 0) || !tt.set && !strings.Contains(strings.Join(got, ""), "none") {
				t.Errorf("%s, %s: want a zero that is set %t: %v", tt.field, name, tt.set, got)
			}
		}
	}
}

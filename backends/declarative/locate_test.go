package declarative_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// TestLocate: errors name the keyword or rule that they come from, even if field, type, origin and text are
// the same.
func TestLocate(t *testing.T) {
	v := compile(t, `
type: object
properties:
  a: {type: integer, maximum: 5, multipleOf: 2}
  port: {$ref: "#/definitions/Port"}
  u:
    type: object
    anyOf: [{required: [v]}, {properties: {w: {maximum: 1}}}]
    allOf: [{properties: {w: {type: integer}}}]
    properties: {v: {type: string}, w: {type: integer}}
  ip: {type: string, format: ipv4}
  keys:
    type: array
    items: {type: object, properties: {k: {type: string}}, required: [k]}
    x-kubernetes-list-type: map
    x-kubernetes-list-map-keys: [k]
x-kubernetes-validations:
- {rule: "!has(self.a) || self.a != 9", message: not so}
- {rule: "!has(self.a) || self.a < 9", message: not so}
- {rule: "!has(self.a) || self.a < 10", message: not so}
- {rule: "!has(self.a) || [1][self.a] == 1"}
`, declarative.Options{Definitions: map[string]*spec.Schema{
		"Port": served.Schema(t, `{type: object, properties: {number: {type: integer, minimum: 1}}, x-kubernetes-validations: `+
			`[{rule: "!has(self.number) || self.number > 0", fieldPath: .number, message: low}]}`),
	}})
	for text, want := range map[string][]string{
		`{a: 9}`: {
			`Invalid "<nil>": x-kubernetes-validations[0]`,
			`Invalid "<nil>": x-kubernetes-validations[1]`,
			`Invalid "a": properties[a].multipleOf`,
			`Invalid "a": properties[a].maximum`,
		},
		`{port: {number: 0}}`: {
			`Invalid "port.number": definitions[Port].x-kubernetes-validations[0]`,
			`Invalid "port.number": definitions[Port].properties[number].minimum`,
		},
		`{a: 4, u: {w: 3}}`: {
			`Invalid "u": properties[u].anyOf`,
			`Invalid "u.w": properties[u].anyOf[1].properties[w].maximum`,
		},
		`{a: 4}`:                   {`Invalid "<nil>": x-kubernetes-validations[3]`}, // which cannot be evaluated
		`{ip: x}`:                  {`Invalid "ip": properties[ip].format`},
		`{keys: [{k: a}, {k: a}]}`: {`Duplicate "keys[1]": properties[keys].x-kubernetes-list-type`},
		`{keys: [{}]}`:             {`Required "keys[0].k": properties[keys].items.required[0]`},
		`{a: 0}`:                   {},
	} {
		t.Run(text, func(t *testing.T) {
			in := &harness.Input{Object: contract.NewView(object(t, text))}
			located, err := declarative.Backend{Validator: v}.Capabilities().Locate(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			got := []string{}
			for _, one := range located {
				got = append(got, fmt.Sprintf("%s %q: %s", strings.TrimPrefix(string(one.Type), "FieldValue"), one.Field,
					strings.Join(one.Declared, ", ")))
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			same, err := declarative.Backend{Validator: v}.Validate(t.Context(), in)
			if err != nil || len(same) != len(located) {
				t.Errorf("%d errors are located, and there are %d: %v", len(located), len(same), err)
			}
		})
	}
}

package declarative_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/internal/served"
)

// needing has rules that break where a default is not set: of items, of what is in items,
// of all items or entries at once; and rules below allOf.
const needing = `
type: object
properties:
  note: {type: string}
  own:
    type: array
    maxItems: 5
    items: &kinded
      type: object
      properties: {kind: {type: string, maxLength: 5, default: a}}
      x-kubernetes-validations: [{rule: self.kind != 'bad', message: a bad kind}]
  below:
    type: array
    maxItems: 5
    items: {type: object, properties: {in: *kinded}}
  items:
    type: array
    maxItems: 5
    items: &plain {type: object, properties: {kind: {type: string, maxLength: 5, default: a}}}
    x-kubernetes-validations: [{rule: "self.all(x, x.kind != 'bad')", message: a bad kind}]
  values:
    type: object
    maxProperties: 5
    additionalProperties: *plain
    x-kubernetes-validations: [{rule: "self.all(k, self[k].kind != 'bad')", message: a bad kind}]
  inner:
    type: array
    maxItems: 5
    items:
      type: object
      properties: {of: {<<: *plain, nullable: true}}
      x-kubernetes-validations: [{rule: "!has(self.of) || self.of.kind != 'bad'", message: a bad kind}]
  joined:
    type: array
    maxItems: 5
    items:
      type: object
      properties: {wait: {type: string, maxLength: 5}}
      allOf: [{x-kubernetes-validations: [{rule: "!has(self.wait) || duration(self.wait) < duration('1h')", message: too long}]}]
    x-kubernetes-validations: [{rule: self.size() < 5, message: many}]
`

// TestSparedNeeds holds against the API server that a rule is run on what did not change
// where a default that it needs is missing, and spared where it is there.
func TestSparedNeeds(t *testing.T) {
	v := compile(t, needing, declarative.Options{Root: true, Semantics: declarative.CustomResources})
	for _, tt := range []struct {
		why, object string
		valid       bool
	}{
		{"a rule of an item, which has its default", `{own: [{kind: bad}]}`, true},
		{"and which has none", `{own: [{}]}`, false},
		{"one of several has none", `{own: [{kind: a}, {}, {kind: b}]}`, false},
		{"a default that is null", `{own: [{kind: null}]}`, false},
		{"a rule of what is in an item", `{below: [{in: {kind: bad}}]}`, true},
		{"whose default is missing", `{below: [{in: {kind: a}}, {in: {}}]}`, false},
		{"what needs it is missing itself", `{below: [{}]}`, true},
		{"a rule of all items", `{items: [{kind: a}, {kind: bad}]}`, true},
		{"the first of which has no default", `{items: [{}, {kind: a}]}`, false},
		{"the last of which has none", `{items: [{kind: a}, {}]}`, false},
		{"there are no items", `{items: []}`, true},
		{"a rule of all entries", `{values: {a: {kind: a}, b: {kind: bad}}}`, true},
		{"one of which has no default", `{values: {a: {kind: a}, b: {}, c: {kind: a}}}`, false},
		{"none of which has one", `{values: {a: {}}}`, false},
		{"a rule of something that may be there", `{inner: [{of: {kind: bad}}]}`, true},
		{"which has no default", `{inner: [{of: {}}]}`, false},
		{"which is not there", `{inner: [{}]}`, true},
		{"which is null", `{inner: [{of: null}]}`, true},
		{"a rule of a branch that is false", `{joined: [{wait: 2h}]}`, true},
		{"a rule of a branch that breaks", `{joined: [{wait: x}]}`, false},
	} {
		obj := object(t, tt.object)
		old := runtime.DeepCopyJSON(obj)
		obj["note"] = "changed"
		want := lines(reference(t, needing, true, obj, old))
		if (len(want) == 0) != tt.valid {
			t.Errorf("%s: %s: the API server says %v", tt.why, tt.object, want)
		}
		after, before := value.NewValueInterface(obj), value.NewValueInterface(old)
		patiently, _ := v.ValidatePatiently(t.Context(), after, before)
		for how, got := range map[string][]string{"patiently": lines(patiently), "quickly": lines(v.Validate(t.Context(), after, before))} {
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("%s: %s, compared %s (-reference +declarative):\n%s", tt.why, tt.object, how, d)
			}
		}
	}
}

// TestSparedOfDefinitions: rules that break are found on what did not change, also where a
// schema is in itself, behind a reference with something beside it, or in a branch.
func TestSparedOfDefinitions(t *testing.T) {
	const wait = `{rule: "!has(self.wait) || duration(self.wait) < duration('1h')", message: too long}`
	const listed = `{type: array, maxItems: 3, items: {$ref: "#/definitions/`
	definitions := map[string]*spec.Schema{
		"A":    served.Schema(t, `{type: object, properties: {wait: {type: string, maxLength: 5}, b: `+listed+`B"}}}, x-kubernetes-validations: [`+wait+`]}`),
		"B":    served.Schema(t, `{type: object, properties: {"n": {type: integer}, a: `+listed+`A"}}}, x-kubernetes-validations: [{rule: "!has(self.n) || self.n < 9"}]}`),
		"Wait": served.Schema(t, `{type: object, properties: {wait: {type: string, maxLength: 5}}, x-kubernetes-validations: [`+wait+`]}`),
	}
	v := compile(t, `
type: object
properties:
  note: {type: string}
  a: {type: array, maxItems: 3, items: {$ref: "#/definitions/A"}}
  b: {type: array, maxItems: 3, items: {$ref: "#/definitions/B"}}
  beside: {type: array, maxItems: 3, items: {$ref: "#/definitions/Wait", minProperties: 1}}
  branch:
    type: array
    maxItems: 3
    items: {type: object, properties: {"n": {type: integer}}, not: {x-kubernetes-validations: [{rule: "!has(self.n) || self.n < 9", message: small}]}}
    x-kubernetes-validations: [{rule: self.size() < 5, message: many}]
`, declarative.Options{Root: true, Semantics: declarative.CustomResources, Definitions: definitions, Estimation: declarative.EstimationOff})
	for _, tt := range []struct {
		why, object string
		errors      int
	}{
		{"a rule that breaks", `{a: [{wait: x}]}`, 1},
		{"below another definition", `{b: [{n: 9, a: [{wait: x}]}]}`, 1},
		{"below itself", `{a: [{b: [{a: [{wait: x}]}]}], b: [{a: [{b: [{a: [{wait: x}]}]}]}]}`, 2},
		{"behind a reference", `{beside: [{wait: x}]}`, 1},
		{"rules that are false", `{a: [{wait: 2h, b: [{n: 9}]}], b: [{n: 9}], beside: [{wait: 2h}]}`, 0},
		{"a rule in a branch that must fail, and does", `{branch: [{n: 9}]}`, 0},
		{"and does not, in what did not change", `{branch: [{n: 8}]}`, 0},
	} {
		obj := object(t, tt.object)
		old := runtime.DeepCopyJSON(obj)
		obj["note"] = "changed"
		shown := func() string { return tt.why + ": " + tt.object }
		if n, _ := settles(t, v, value.NewValueInterface(obj), value.NewValueInterface(old), shown); n != tt.errors {
			t.Errorf("%s: %s: %d errors", tt.why, tt.object, n)
		}
	}
}

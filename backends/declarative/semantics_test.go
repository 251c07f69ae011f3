package declarative_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
)

// origins prints errors in their order: origin, type, field and detail.
func origins(errs field.ErrorList) []string {
	all := []string{}
	for _, e := range errs {
		all = append(all, fmt.Sprintf("%s %s %s %s", e.Origin, string(e.Type), e.Field, e.Detail))
	}
	return all
}

// wantedCase is a schema, and the errors of an object or of an update of old to it: origin,
// type, field and detail.
type wantedCase struct {
	name, why, schema, object, old string
	opts                           declarative.Options
	want                           []string
}

func (tt wantedCase) check(t *testing.T) {
	t.Helper()
	v := compile(t, tt.schema, tt.opts)
	var obj, old value.Value = value.NewValueInterface("text"), nil
	if tt.object != "" {
		obj = value.NewValueInterface(object(t, tt.object))
	}
	if tt.old != "" {
		old = value.NewValueInterface(object(t, tt.old))
	}
	if d := cmp.Diff(append([]string{}, tt.want...), origins(v.Validate(t.Context(), obj, old))); d != "" {
		t.Errorf("%s: %s (-want +got):\n%s", tt.why, tt.object, d)
	}
}

// TestNativeTypes checks the requirements of KEP-4153 that deviate from today's API server, and features that
// only this package has.
func TestNativeTypes(t *testing.T) {
	for _, tt := range []wantedCase{
		{name: "reasons", why: "the KEP's table of reasons, with the keyword as origin",
			schema: `{type: object, required: [r], properties: {f: {type: string, format: ipv4}, d: {type: string, format: ` +
				`dns1035label}, p: {type: string, pattern: '^a'}, "n": {type: integer, minimum: 1}, x: {type: integer, maximum: 1}, ` +
				`l: {type: string, maxLength: 1}, i: {type: array, maxItems: 0, items: {type: string}}, o: {type: object, ` +
				`maxProperties: 0}, e: {type: string, enum: [a]}, s: {type: array, x-kubernetes-list-type: set, items: {type: ` +
				`string}}, t: {type: string}, m: {type: number, multipleOf: 2}, u: {type: array, uniqueItems: true, items: {type: ` +
				`string}}}}`,
			object: `{f: x, d: 1a, p: b, "n": 0, x: 2, l: ab, i: [a], o: {a: 1}, e: b, s: [a, a], t: 1, m: 3, u: [a, a]}`,
			want: []string{
				`format=dns1035label FieldValueInvalid d d in body must be of type dns1035label: "1a": a DNS-1035 label must consist ` +
					`of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric ` +
					`character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')`,
				`enum FieldValueNotSupported e supported values: "a"`,
				`format=ipv4 FieldValueInvalid f f in body must be of type ipv4: "x"`,
				`maxItems FieldValueTooMany i must have at most 0 items`,
				`maxLength FieldValueTooLong l may not be more than 1 byte`,
				`multipleOf FieldValueInvalid m m in body should be a multiple of 2`,
				`minimum FieldValueInvalid n n in body should be greater than or equal to 1`,
				`maxProperties FieldValueTooMany o must have at most 0 items`,
				`pattern FieldValueInvalid p p in body should match '^a'`,
				`required FieldValueRequired r `,
				`x-kubernetes-list-type FieldValueDuplicate s[1] `,
				`type FieldValueTypeInvalid t t in body must be of type string: "integer"`,
				`uniqueItems FieldValueInvalid u u in body shouldn't contain duplicates`,
				`maximum FieldValueInvalid x x in body should be less than or equal to 1`,
			}},
		{name: "overrides", why: "x-kubernetes-validation-errors sets the message and the reason of a keyword",
			schema: `{type: object, required: [r], x-kubernetes-validation-errors: {required: {message: give r}}, properties: {a: ` +
				`{type: string, minLength: 2, pattern: '^a', x-kubernetes-validation-errors: {minLength: {message: too short, ` +
				`reason: Forbidden}}}}}`,
			object: `{a: b}`,
			want:   []string{`minLength FieldValueForbidden a too short`, `required FieldValueRequired r give r`}},
		{name: "overrides by half", why: "a reason leaves the message as it is, and a message the reason",
			schema: `{type: object, properties: {a: {type: string, pattern: '^a', x-kubernetes-validation-errors: {pattern: ` +
				`{reason: Forbidden}}}, b: {type: string, pattern: '^b', x-kubernetes-validation-errors: {pattern: {message: begin ` +
				`with b}}}}}`,
			object: `{a: x, b: x}`,
			want:   []string{`pattern FieldValueForbidden a a in body should match '^a'`, `pattern FieldValueInvalid b begin with b`}},
		{name: "junctor", why: "an error of a junctor or a range is at its field",
			schema: `{type: object, properties: {not: {type: string, not: {pattern: '^x'}}}}`, object: `{not: xa}`,
			want: []string{`not FieldValueInvalid not "not" must not validate the schema (not)`}},
		{name: "range", why: "int32 is", schema: `{type: object, properties: {a: {type: integer, format: int32}}}`,
			object: `{a: 3000000000}`,
			want:   []string{`format=int32 FieldValueInvalid a Checked value must be of type integer with format int32 in a`}},
		{name: "root", why: "the root is the path of a nil field.Path", schema: `{type: object, minProperties: 1}`, object: `{}`,
			want: []string{`minProperties FieldValueInvalid <nil>  in body should have at least 1 properties`}},
		{name: "order", why: "items are in the order of their index, and nested errors follow those of the value around them",
			schema: `{type: object, properties: {a: {type: array, maxItems: 1, items: {type: string}}, a-b: {type: string}}}`,
			object: `{a: [1, 2, x, 4, x, x, x, x, x, 5, 6], a-b: 1}`,
			want: []string{
				`maxItems FieldValueTooMany a must have at most 1 item`,
				`type FieldValueTypeInvalid a[0] a[0] in body must be of type string: "integer"`,
				`type FieldValueTypeInvalid a[1] a[1] in body must be of type string: "integer"`,
				`type FieldValueTypeInvalid a[3] a[3] in body must be of type string: "integer"`,
				`type FieldValueTypeInvalid a[9] a[9] in body must be of type string: "integer"`,
				`type FieldValueTypeInvalid a[10] a[10] in body must be of type string: "integer"`,
				`type FieldValueTypeInvalid a-b a-b in body must be of type string: "integer"`,
			}},
		{name: "order of names and types", why: "digits are a number only in brackets; a value comes before its parts, " +
			"whatever the errors are",
			schema: `{type: object, properties: {a9: {type: string}, a10: {type: string}, l: {type: array, maxItems: 0, items: ` +
				`{type: string, minLength: 2}}, m: {type: object, additionalProperties: {type: string}}}}`,
			object: `{a9: 1, a10: 1, l: [a], m: {"9": 1, "10": 1, x: 1, "": 1}}`,
			want: []string{
				`type FieldValueTypeInvalid a10 a10 in body must be of type string: "integer"`,
				`type FieldValueTypeInvalid a9 a9 in body must be of type string: "integer"`,
				`maxItems FieldValueTooMany l must have at most 0 items`,
				`minLength FieldValueInvalid l[0] l[0] in body should be at least 2 chars long`,
				`type FieldValueTypeInvalid m[9] m.9 in body must be of type string: "integer"`,
				`type FieldValueTypeInvalid m[10] m.10 in body must be of type string: "integer"`,
				`type FieldValueTypeInvalid m[] m. in body must be of type string: "integer"`,
				`type FieldValueTypeInvalid m[x] m.x in body must be of type string: "integer"`,
			}},
		{name: "rules run", why: "a missing field does not keep rules from running",
			schema: `{type: object, required: [r], properties: {r: {type: string}, a: {type: integer}, b: {type: integer}}, ` +
				`x-kubernetes-validations: [{rule: self.a > self.b, message: order}]}`,
			object: `{a: 1, b: 2}`,
			want:   []string{`x-kubernetes-validations FieldValueInvalid <nil> order`, `required FieldValueRequired r `}},
		{name: "explained", why: "a rule that stumbles over a value with errors is explained by them",
			schema: `{type: object, properties: {o: {type: object, required: [r], properties: {r: {type: string}}, ` +
				`x-kubernetes-validations: [{rule: self.r == 'a', message: r}]}}}`,
			object: `{o: {}}`,
			want:   []string{`required FieldValueRequired o.r `}},
		{name: "not explained", why: "errors beside the value do not explain it",
			schema: `{type: object, properties: {p: {type: string}, o: {type: object, properties: {r: {type: string}}, ` +
				`x-kubernetes-validations: [{rule: self.r == 'a', message: r}]}}}`,
			object: `{o: {}, p: 1}`,
			want: []string{
				`x-kubernetes-validations FieldValueInvalid o no such key: r evaluating rule: r`,
				`type FieldValueTypeInvalid p p in body must be of type string: "integer"`,
			}},
		{name: "messages with line breaks", why: "hand-written errors quote values as they are",
			schema: `{type: object, properties: {a: {type: string, x-kubernetes-validations: [{rule: self == 'a', messageExpression: ` +
				`"'must not be ' + self"}]}}}`,
			object: `{a: "b\nc"}`, want: []string{"x-kubernetes-validations FieldValueInvalid a must not be b\nc"}},
		{name: "rule reasons", why: "the short names of the KEP and all types of field errors",
			schema: `{type: string, maxLength: 9, x-kubernetes-validations: [{rule: 'false', reason: Forbidden}, {rule: 'false', ` +
				`reason: NotSupported, message: "n"}, {rule: 'false', reason: TooLong, message: l}, {rule: 'false', reason: ` +
				`RequestEntityTooLarge, message: r}, {rule: 'false', reason: Duplicate}]}`,
			object: ``, want: []string{
				`x-kubernetes-validations FieldValueDuplicate <nil> `,
				`x-kubernetes-validations FieldValueForbidden <nil> failed rule: false`,
				`x-kubernetes-validations FieldValueNotSupported <nil> n`,
				`x-kubernetes-validations FieldValueTooLong <nil> l`,
				`x-kubernetes-validations FieldValueTooLong <nil> r`,
			}},
		{name: "strip zero", why: "a zero value is absent for every keyword and for rules",
			schema: `{type: object, required: [s, i, b, l, m], minProperties: 1, properties: {s: {type: string, minLength: 1, ` +
				`x-kubernetes-strip-zero: true}, i: {type: integer, minimum: 1, x-kubernetes-strip-zero: true}, f: {type: number, ` +
				`minimum: 1, x-kubernetes-strip-zero: true}, b: {type: boolean, enum: [true], x-kubernetes-strip-zero: true}, l: ` +
				`{type: array, minItems: 1, items: {type: string}, x-kubernetes-strip-zero: true}, m: {type: object, minProperties: ` +
				`1, x-kubernetes-strip-zero: true}}, x-kubernetes-validations: [{rule: "!has(self.s) && !has(self.i) && !has(self.f) ` +
				`&& !has(self.b) && !has(self.l) && !has(self.m)"}]}`,
			object: `{s: "", i: 0, f: 0.0, b: false, l: [], m: {}}`,
			want: []string{
				`minProperties FieldValueInvalid <nil>  in body should have at least 1 properties`,
				`required FieldValueRequired b `, `required FieldValueRequired i `, `required FieldValueRequired l `,
				`required FieldValueRequired m `, `required FieldValueRequired s `,
			}},
		{name: "strip zero in branches", why: "stripping zeros is declared outside of the branches",
			schema: `{type: object, properties: {a: {type: string, x-kubernetes-strip-zero: true}, b: {type: string}}, oneOf: ` +
				`[{required: [a]}, {required: [b]}]}`,
			object: `{a: "", b: x}`},
		{name: "formats in rules", why: "isFormat and validateFormat",
			schema: `{type: object, properties: {a: {type: string, maxLength: 9}, f: {type: string, maxLength: 9}}, ` +
				`x-kubernetes-validations: [{rule: "self.a.isFormat('dns1123label')", messageExpression: ` +
				`"self.a.validateFormat('dns1123label')[0].substring(0, 9)"}, {rule: "self.a.isFormat(self.f)", message: f}]}`,
			object: `{a: A, f: none}`,
			want: []string{
				`x-kubernetes-validations FieldValueInvalid <nil> a lowerca`,
				`x-kubernetes-validations FieldValueInvalid <nil> there is no format "none" evaluating rule: f`,
			}},
		{name: "selector literal", why: "a selector can be written in the rule",
			schema: `{type: object, maxProperties: 3, additionalProperties: {type: string, maxLength: 3}, x-kubernetes-validations: ` +
				`[{rule: "labelSelector({'matchExpressions': [{'key': dyn('a'), 'operator': dyn('In'), 'values': dyn(['b', ` +
				`'c'])}]}).matches(self)"}, {rule: "!labelSelector({'matchLabels': {'a': 'b'}}).matches(self)"}]}`,
			object: `{a: c}`},
		{name: "lists ratcheted", why: "a Duplicate in an unchanged list is dropped, one in a different list is not",
			schema: `{type: object, properties: {s: {type: array, x-kubernetes-list-type: set, items: {type: string}}, t: {type: ` +
				`array, x-kubernetes-list-type: set, items: {type: string}}}}`,
			object: `{s: [a, a], t: [b, b]}`, old: `{s: [a, a], t: [b]}`,
			want: []string{`x-kubernetes-list-type FieldValueDuplicate t[1] `}},
		{name: "an item three times", why: "each that equals an earlier one is reported, as hand-written code does",
			schema: `{type: object, properties: {l: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: ["n"], ` +
				`items: {type: object, properties: {"n": {type: string}}}}, s: {type: array, x-kubernetes-list-type: set, items: ` +
				`{type: string}}}}`,
			object: `{l: [{"n": a}, {"n": a}, {"n": b}, {"n": a}], s: [a, b, a, a]}`,
			want: []string{
				`x-kubernetes-list-type FieldValueDuplicate l[1] `,
				`x-kubernetes-list-type FieldValueDuplicate l[3] `,
				`x-kubernetes-list-type FieldValueDuplicate s[2] `,
				`x-kubernetes-list-type FieldValueDuplicate s[3] `,
			}},
		{name: "an item three times in a custom resource", why: "the second is reported, as the API server does",
			opts:   declarative.Options{Semantics: declarative.CustomResources},
			schema: `{type: object, properties: {s: {type: array, x-kubernetes-list-type: set, items: {type: string}}}}`,
			object: `{s: [a, b, a, a]}`, want: []string{`x-kubernetes-list-type FieldValueDuplicate s[2] `}},
		{name: "a stripped zero less", why: "a list or map that is empty, and one that is not there, are the same to ratcheting, " +
			"in an atomic list as well",
			schema: `{type: object, properties: {l: {type: array, items: {type: object, required: [a], properties: {a: {type: ` +
				`array, x-kubernetes-strip-zero: true, items: {type: string}}, m: {type: object, x-kubernetes-strip-zero: true, ` +
				`additionalProperties: {type: string}}, b: {type: string}}}}}}`,
			object: `{l: [{b: x, a: []}]}`, old: `{l: [{b: x, m: {}}]}`},
		{name: "a stripped zero less beside a change", why: "the item is different",
			schema: `{type: object, properties: {l: {type: array, items: {type: object, required: [a], properties: {a: {type: ` +
				`array, x-kubernetes-strip-zero: true, items: {type: string}}, b: {type: string}}}}}}`,
			object: `{l: [{b: y, a: []}]}`, old: `{l: [{b: x}]}`, want: []string{`required FieldValueRequired l[0].a `}},
		{name: "a zero less that is not stripped", why: "is a change",
			schema: `{type: object, properties: {o: {type: object, required: [r], properties: {a: {type: array, items: {type: string}}}}}}`,
			object: `{o: {a: []}}`, old: `{o: {}}`, want: []string{`required FieldValueRequired o.r `}},
		{name: "an item twice", why: "makes a different list, because duplicates are ratcheted with the list",
			schema: `{type: object, properties: {l: {type: array, maxItems: 1, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: ` +
				`["n"], items: {type: object, properties: {"n": {type: string}}}}}}`,
			object: `{l: [{"n": a}, {"n": a}]}`, old: `{l: [{"n": a}, {"n": b}]}`,
			want: []string{`maxItems FieldValueTooMany l must have at most 1 item`, `x-kubernetes-list-type FieldValueDuplicate l[1] `}},
		{name: "embedded resources ratcheted", why: "as everything else",
			schema: `{type: object, properties: {a: {type: object, x-kubernetes-embedded-resource: true}, b: {type: string}}}`,
			object: `{a: {kind: A}, b: x}`, old: `{a: {kind: A}}`},
		{name: "a field that only a branch declares", why: "has no old value, because no schema outside of the branch declares it",
			schema: `{type: object, properties: {a: {type: string}}, anyOf: [{properties: {b: {type: integer, ` +
				`x-kubernetes-validations: [{rule: self > oldSelf, message: must grow}]}}}]}`,
			object: `{b: 1}`, old: `{b: 1, a: x}`},
		{name: "ratcheting off", why: "then an update is validated like a create", opts: declarative.Options{WithoutRatcheting: true},
			schema: `{type: object, properties: {a: {type: string, maxLength: 2, x-kubernetes-validations: [{rule: self != 'abc', ` +
				`message: abc}]}}}`,
			object: `{a: abc}`, old: `{a: abc}`,
			want: []string{`x-kubernetes-validations FieldValueInvalid a abc`,
				`maxLength FieldValueTooLong a may not be more than 2 bytes`}},
		{name: "no format", why: "a format that is unknown is ignored, as an API server does",
			schema: `{type: object, properties: {a: {type: string, format: x-y-z}}}`, object: `{a: b}`},
	} {
		t.Run(tt.name, func(t *testing.T) { tt.check(t) })
	}
}

// TestRulesInJunctors checks that a rule in a branch takes part in the branch's decision.
func TestRulesInJunctors(t *testing.T) {
	const schema = `
type: object
properties: {a: {type: integer}, b: {type: integer}}
anyOf:
- {required: [b]}
- properties: {a: {x-kubernetes-validations: [{rule: self > 3, message: a is small}]}}
oneOf:
- x-kubernetes-validations: [{rule: "has(self.a) && self.a == 5", message: not five}]
- required: [b]
not: {x-kubernetes-validations: [{rule: "has(self.a) && self.a == 7"}]}
allOf:
- x-kubernetes-validations: [{rule: "!has(self.b) || self.b < 9", message: b is large}]
`
	for _, tt := range []wantedCase{
		{why: "the second branch of anyOf and the first of oneOf", object: `{a: 5}`},
		{why: "the other ones", object: `{b: 1}`},
		{why: "no branch of either", object: `{a: 1}`, want: []string{
			`anyOf FieldValueInvalid <nil> "" must validate at least one schema (anyOf)`,
			`oneOf FieldValueInvalid <nil> "" must validate one and only one schema (oneOf). Found none valid`,
			`x-kubernetes-validations FieldValueInvalid <nil> not five`,
			`x-kubernetes-validations FieldValueInvalid a a is small`,
		}},
		{why: "both of oneOf", object: `{a: 5, b: 1}`,
			want: []string{`oneOf FieldValueInvalid <nil> "" must validate one and only one schema (oneOf). Found 2 valid alternatives`}},
		{why: "the branch of not", object: `{a: 7, b: 1}`,
			want: []string{`not FieldValueInvalid <nil> "" must not validate the schema (not)`}},
		{why: "allOf", object: `{b: 10}`, want: []string{`x-kubernetes-validations FieldValueInvalid <nil> b is large`}},
	} {
		tt.schema = schema
		tt.check(t)
	}
}

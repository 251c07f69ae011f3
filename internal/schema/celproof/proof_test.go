package celproof_test

import (
	"strings"
	"testing"

	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/schema/celproof"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// fields has a field for each kind of knowledge that a schema can provide, and some without any.
const fields = `{type: object, required: [req, name, kind2, list], properties: {
  req: {type: integer, minimum: 1, maximum: 5}, opt: {type: integer, minimum: 0},
  open: {type: integer, minimum: 1, exclusiveMinimum: true}, any: {type: integer},
  name: {type: string, minLength: 1, maxLength: 63, pattern: "^[a-z]+$"}, text: {type: string}, bytes: {type: string, ` +
	`format: byte, maxLength: 4},
  kind2: {type: string, enum: [A, B]}, one: {type: string, enum: [A]},
  list: {type: array, maxItems: 3, items: {type: object, required: [a], properties: {a: {type: integer, maximum: 9}, b: {type: string}}}},
  map: {type: object, additionalProperties: {type: string}, maxProperties: 2},
  inner: {type: object, required: [a], properties: {a: {type: string}}},
  nul: {type: integer, nullable: true, minimum: 3}, ios: {x-kubernetes-int-or-string: true},
  both: {type: integer, minimum: 0, allOf: [{minimum: 4}]}, def: {type: integer, default: 3}}}`

// TestProofs: rules that are proven, and similar ones that are not.
func TestProofs(t *testing.T) {
	schema := celproof.Schema{Schema: served.Schema(t, fields)}
	for _, row := range []struct{ why, rule, want string }{
		{"a size is never negative", "size(self.list) >= 0", "always"},
		{"also as a method", "self.name.size() >= 0", "always"},
		{"within the bounds of the size", "self.list.size() <= 3 && size(self.name) <= 63 && size(self.name) > 0", "always"},
		{"a size below the bound may fail", "self.list.size() < 3", ""},
		{"a size that the bound excludes", "self.list.size() == 4", "never"},
		{"the letters of base64 are not the bytes", "!has(self.bytes) || size(self.bytes) <= 4", ""},
		{"an optional value may be missing, which is an error", "self.opt >= 0", ""},
		{"guarded, it is not", "!has(self.opt) || self.opt >= 0", "always"},
		{"a condition guards too", "has(self.opt) ? self.opt >= 0 : true", "always"},
		{"over the maximum", "self.req > 5", "never"},
		{"over the maximum of a value that may be missing: false or an error", "has(self.opt) && self.opt < 0", "never"},
		{"up to the maximum", "self.req >= 5", ""},
		{"within the bounds", "self.req >= 1 && self.req <= 5 && 0 < self.req && self.req != 7", "always"},
		{"an open bound", "!has(self.open) || self.open > 1", "always"},
		{"a value is itself", "self.req == self.req", "always"},
		{"and never a different one", "self.req != self.req || self.req < self.req", "never"},
		{"one that may be missing is an error", "self.any == self.any", ""},
		{"the bound of an allOf", "!has(self.both) || self.both >= 4", "always"},
		{"a null is no number", "!has(self.nul) || self.nul >= 3", ""},
		{"an int-or-string is no number", "!has(self.ios) || self.ios == self.ios || true", "always"},
		{"all values of the enum", "self.kind2 in ['A', 'B', 'C']", "always"},
		{"some values of the enum", "self.kind2 in ['A']", ""},
		{"no value of the enum", "self.kind2 == 'C'", "never"},
		{"the one value of the enum", "!has(self.one) || self.one == 'A'", "always"},
		{"its own pattern", "self.name.matches('^[a-z]+$')", "always"},
		{"a different pattern", "self.name.matches('^[a-z]*$')", ""},
		{"a required field is there", "has(self.req)", "always"},
		{"an optional one may not be", "has(self.opt)", ""},
		{"in each item", "self.list.all(x, has(x.a) && x.a <= 9)", "always"},
		{"a default may fill the field in", "has(self.def)", ""},
		{"one of two is always true", "has(self.opt) || !has(self.opt)", "always"},
		{"an old value is a different one", "self.req == oldSelf.req", ""},
		{"a literal", "true", "always"},
		{"a contradiction", "has(self.opt) && !has(self.opt)", "never"},
		{"an unknown function", "self.text.startsWith('a')", ""},
		{"an unknown number", "!has(self.any) || self.any >= 0", ""},
		{"sums are not looked at", "self.req + 1 > 0", ""},
	} {
		rule := celexpr.Parse(row.rule)
		if rule == nil {
			t.Fatalf("%s is not CEL", row.rule)
		}
		got := ""
		switch {
		case celproof.Always(rule, schema, schema):
			got = "always"
		case celproof.Never(rule, schema):
			got = "never"
		}
		if got != row.want {
			t.Errorf("%s: %s is proved %q, want %q", row.why, row.rule, got, row.want)
		}
	}
}

func TestGuards(t *testing.T) {
	schema := celproof.Schema{Schema: served.Schema(t, fields)}
	for _, row := range []struct{ why, rule, want string }{
		{"a required field", "!has(self.req) || self.req > 2", "self.req"},
		{"an optional one", "!has(self.opt) || self.opt > 2", ""},
		{"a required field of an optional one", "!has(self.inner) || !has(self.inner.a) || self.inner.a == 'x'", "self.inner.a"},
		{"of items", "self.list.all(x, has(x.a) && has(x.b))", "x.a"},
	} {
		rule := celexpr.Parse(row.rule)
		if got := strings.Join(celproof.Guards(rule, schema), " "); got != row.want {
			t.Errorf("%s: %s has the guards %q, want %q", row.why, row.rule, got, row.want)
		}
	}
}

package declarative_test

import (
	"fmt"
	"testing"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative"
	apiserver "github.com/diffrun/diffrun/backends/reference"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// TestTypesAreOfPlaces: objects at two places have two types even if their schemas are equal, so that rules
// cannot mix them. The API server accepts and rejects the same rules.
func TestTypesAreOfPlaces(t *testing.T) {
	for _, tt := range []struct {
		rule, why string
		compiles  bool
	}{
		{"self.a == self.b", "two objects of equal schemas", false},
		{"self.a != self.b", "the same, not equal", false},
		{"[self.a, self.b].size() == 2", "in one list", false},
		{"self.l == self.m", "lists of such", false},
		{"self.l + self.m == self.l", "or added up", false},
		{"self.n == self.o", "maps of such", false},
		{"(true ? self.a : self.b).x == 'z'", "one or the other", false},
		{"self.a in self.l", "an object in a list of others", false},
		{"self.l[0] == self.l[1]", "two items of one list are at one place", true},
		{"self.n.all(k, self.n[k] == self.n['a'])", "and so are the entries of a map", true},
		{"self.a == oldSelf.a", "and the old value", true},
		{"self.a.x == self.b.x", "scalars have no place", true},
		{"self.s == self.t", "nor have lists of scalars", true},
		{"dyn(self.a) == dyn(self.b)", "nor what is dyn", true},
		{"self.a.part.y == self.b.part.y && self.l[0].part.y == self.n['a'].part.y", "fields are found at every place", true},
	} {
		const object = `{type: object, properties: {x: {type: string, maxLength: 3}, part: {type: object, properties: {"y": {type: ` +
			`integer}}}}}`
		const list, entries, texts = `{type: array, maxItems: 3, items: ` + object +
			`}`, `{type: object, maxProperties: 3, additionalProperties: ` + object + `}`, `{type: array, maxItems: 3, items: ` +
			`{type: string, maxLength: 3}}`
		s := served.Schema(t, fmt.Sprintf(`{type: object, properties: {spec: {type: object, x-kubernetes-validations: [{rule: %q}],
			properties: {a: %[2]s, b: %[2]s, l: %[3]s, m: %[3]s, "n": %[4]s, o: %[4]s, s: %[5]s, t: %[5]s}}}}`, tt.rule, object,
			list, entries, texts))
		_, err := declarative.Compile(s, declarative.Options{Root: true, Semantics: declarative.CustomResources})
		if (err == nil) != tt.compiles {
			t.Errorf("%s (%s): got %v", tt.rule, tt.why, err)
		}
		if _, err := apiserver.Compile(s, apiserver.Options{Root: true}); (err == nil) != tt.compiles {
			t.Errorf("%s (%s): the API server says %v", tt.rule, tt.why, err)
		}
	}
}

// TestDefinitionIsOneType: everything that refers to a definition has one type, in nested parts as well.
func TestDefinitionIsOneType(t *testing.T) {
	def := served.Schema(t, `{type: object, properties: {part: {type: object, properties: {"y": {type: integer}}}, next: `+
		`{$ref: "#/definitions/D"}}}`)
	for _, tt := range []struct {
		rule, why string
		compiles  bool
	}{
		{"self.a == self.b", "the same definition", true},
		{"self.a.part == self.b.part && self.a.next.part == self.b.next.next.part", "the same part of it", true},
		{"self.a.part == self.c", "an object of the same fields elsewhere", false},
	} {
		s := served.Schema(t, fmt.Sprintf(`{type: object, x-kubernetes-validations: [{rule: %q}], properties: {
			a: {$ref: "#/definitions/D"}, b: {allOf: [{$ref: "#/definitions/D"}], default: {}}, c: {type: object, properties: `+
			`{"y": {type: integer}}}}}`, tt.rule))
		_, err := declarative.Compile(s, declarative.Options{Definitions: map[string]*spec.Schema{"D": def}, WithoutEstimation: true})
		if (err == nil) != tt.compiles {
			t.Errorf("%s (%s): got %v", tt.rule, tt.why, err)
		}
	}
}

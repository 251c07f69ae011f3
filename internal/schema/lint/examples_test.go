package lint_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/diffrun/diffrun/internal/openapi"
	schemalint "github.com/diffrun/diffrun/internal/schema/lint"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// findings returns what a lint finds in the schema of a definition.
func findings(t *testing.T, lint, schema string) []schemalint.Finding {
	t.Helper()
	found, err := schemalint.Check(served.Schema(t, schema), schemalint.Options{Root: true, Costs: true, Only: []string{lint}})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestRuleFails: each rule cannot be evaluated on an object that the schema accepts; in the next row it is mended.
func TestRuleFails(t *testing.T) {
	const fields = `type: {type: string, enum: [A, B]}, a: {type: integer}, b: {type: integer}, d: {type: integer, default: 1}, ` +
		`r: {type: string, maxLength: 9}, z: {type: string, nullable: true, maxLength: 9}, ` +
		`deep: {type: object, properties: {c: {type: object, properties: {e: {type: string, maxLength: 9}}}}}, ` +
		`l: {type: array, maxItems: 5, items: {type: object, properties: {w: {type: integer}, x: {type: integer}}}}, ` +
		`t: {type: array, maxItems: 5, items: {type: string, maxLength: 9}}, ` +
		`m: {type: object, maxProperties: 5, additionalProperties: {type: integer}}, namespace: {type: integer}`
	for _, tt := range []struct{ why, rule, want string }{
		{"an optional field", "self.a > 1", `self.a may be missing: fails on {"spec":{"r":"a","z":"a"}}: no such key: a`},
		{"it is tested", "!has(self.a) || self.a > 1", ""},
		{"a required field", "self.r != 'x'", ""},
		{"a default sets it", "self.d > 1", ""},
		{"a required field that may be null, which rules see as absent", "self.z != 'x'", "no such key: z"},
		{"null is tested", "!has(self.z) || self.z != 'x'", ""},
		{"after has() of another field", "!has(self.a) || self.b > 1", "self.b may be missing"},
		{"both are tested", "!has(self.a) || !has(self.b) || self.b > 1", ""},
		{"the condition of a choice", "self.type == 'A' ? has(self.a) : true", "self.type may be missing"},
		{"a branch of a choice", "has(self.type) ? self.a > 1 : true", "self.a may be missing"},
		{"a branch that tests it", "has(self.type) && has(self.a) ? self.a > 1 : true", ""},
		{"the value of a field chooses the branch", "!has(self.type) || (self.type == 'A' ? self.a > 1 : true)",
			`fails on {"spec":{"r":"a","type":"A","z":"a"}}`},
		{"at depth", "!has(self.deep) || self.deep.c.e == 'x'", `"deep":{}`},
		{"each step is tested", "!has(self.deep) || !has(self.deep.c) || !has(self.deep.c.e) || self.deep.c.e == 'x'", ""},
		{"the argument of has() has a parent", "!has(self.deep.c.e)", "self.deep may be missing"},
		{"an optional field is not read", "self.?deep.c.e.orValue('x') == 'x'", ""},
		{"a field of an item", "!has(self.l) || self.l.all(i, i.w > 1)", `i.w may be missing: fails on`},
		{"a field of an item is tested", "!has(self.l) || self.l.all(i, !has(i.w) || i.w > 1)", ""},
		{"a field of an item that was filtered for another one",
			"!has(self.l) || self.l.filter(i, has(i.x)).all(i, i.w > 1)", "no such key: w"},
		{"an item that may not be there", "!has(self.t) || self.t[0] == 'x'", "index out of bounds"},
		{"the size is tested", "!has(self.t) || self.t.size() == 0 || self.t[0] == 'x'", ""},
		{"a key that may not be there", "!has(self.m) || self.m['k'] > 1", "self.m.k may be missing"},
		{"the key is tested", "!has(self.m) || !('k' in self.m) || self.m['k'] > 1", ""},
		{"the old object", "!has(self.a) || self.a >= oldSelf.a", `oldSelf.a may be missing: fails on the update of {"spec":`},
		{"both objects are tested", "!has(self.a) || !has(oldSelf.a) || self.a >= oldSelf.a", ""},
		{"an escaped name", "self.__namespace__ > 1", "self.namespace may be missing"},
		{"a text that is not always a duration", "self.r == '' || duration(self.r) > duration('1s')", "fails on"},
		{"a text that is parsed after a test", "self.r != '1s' || duration(self.r) > duration('1s')", ""},
	} {
		schema := fmt.Sprintf(`{type: object, required: [spec], properties: {spec: {type: object, required: [r, z], properties: {%s}, `+
			`x-kubernetes-validations: [{rule: "%s", message: m}]}}}`, fields, tt.rule)
		expect(t, tt.why, findings(t, "rule-fails", schema), tt.want)
	}
}

// expect checks that there is one warning with a text, or none for "".
func expect(t *testing.T, why string, found []schemalint.Finding, want string) {
	t.Helper()
	switch {
	case want == "" && len(found) > 0:
		t.Errorf("%s: %+v", why, found)
	case want != "" && (len(found) != 1 || found[0].Severity != schemalint.Warning || !strings.Contains(found[0].What, want)):
		t.Errorf("%s: want %q, got %+v", why, want, found)
	}
}

// TestRuleFailsBesideOthers: what other rules refuse anyway is no finding, and several rules that fail are one each.
func TestRuleFailsBesideOthers(t *testing.T) {
	const schema = `{type: object, required: [spec], properties: {spec: {type: object, properties: {type: {type: string, ` +
		`enum: [A, B]}, a: {type: integer}}, x-kubernetes-validations: [%s]}}}`
	for _, tt := range []struct {
		why, rules string
		warnings   int
	}{
		{"another rule requires the field", `{rule: "has(self.a)", message: m}, {rule: "self.a > 1", message: m}`, 0},
		{"a rule around it requires the field",
			`{rule: "has(self.type) && (self.type == 'A') == has(self.a)", message: m}, ` +
				`{rule: "self.type == 'B' || self.a > 1", message: m}`, 0},
		{"two rules fail together", `{rule: "self.a > 1", message: m}, {rule: "self.a < 9", message: m}`, 2},
	} {
		warnings := 0
		for _, found := range findings(t, "rule-fails", fmt.Sprintf(schema, tt.rules)) {
			if found.Severity == schemalint.Warning {
				warnings++
			}
		}
		if warnings != tt.warnings {
			t.Errorf("%s: %d warnings", tt.why, warnings)
		}
	}
}

// TestTransitionEvaded: two updates make the change that a rule refuses in one; in the next row it is mended.
func TestTransitionEvaded(t *testing.T) {
	const immutable = `x-kubernetes-validations: [{rule: "self == oldSelf", message: m}]`
	const text = `type: string, maxLength: 9, ` + immutable
	list := func(rules string) string {
		return `l: {type: array, maxItems: 5, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], items: {type: object, ` +
			`required: [k, v], properties: {k: {type: string, maxLength: 9}, v: {` + text + `}}}` + rules + `}`
	}
	for _, tt := range []struct{ why, fields, rules, want string }{
		{"an item of a list", list(""), "", "the first removes spec.l[0]: "},
		{"items must stay", list(`, x-kubernetes-validations: [{rule: "oldSelf.all(o, self.exists(n, n.k == o.k))", message: m}]`),
			`{rule: "!has(oldSelf.l) || has(self.l)", message: m}`, ""},
		{"a value of a map",
			`m: {type: object, maxProperties: 5, additionalProperties: {` + text + `}}`, "", "the first removes spec.m[key]"},
		{"keys must stay", `m: {type: object, maxProperties: 5, additionalProperties: {` + text + `}}`,
			`{rule: "!has(oldSelf.m) || has(self.m) && oldSelf.m.all(k, k in self.m)", message: m}`, ""},
		{"a required field below an optional one", `o: {type: object, required: [x], properties: {x: {` + text + `}}}`, "",
			"the first removes spec.o: "},
		{"the optional one must stay", `o: {type: object, required: [x], properties: {x: {` + text + `}}}`,
			`{rule: "!has(oldSelf.o) || has(self.o)", message: m}`, ""},
		{"a rule that is also asked without an old value", `x: {type: string, maxLength: 9, x-kubernetes-validations: [{rule: ` +
			`"!oldSelf.hasValue() || self == oldSelf.value()", message: m, optionalOldSelf: true}]}`, "", "the first removes spec.x: "},
		{"the field must stay", `x: {type: string, maxLength: 9, x-kubernetes-validations: [{rule: ` +
			`"!oldSelf.hasValue() || self == oldSelf.value()", message: m, optionalOldSelf: true}]}`,
			`{rule: "!has(oldSelf.x) || has(self.x)", message: m}`, ""},
		{"a rule around an optional field", `x: {type: string, maxLength: 9}`,
			`{rule: "!has(self.x) || !has(oldSelf.x) || self.x == oldSelf.x", message: m}`, "the first removes spec.x: "},
		{"it refuses the removal", `x: {type: string, maxLength: 9}`,
			`{rule: "!has(oldSelf.x) || has(self.x) && self.x == oldSelf.x", message: m}`, ""},
		{"a default takes the place of the parent",
			`o: {type: object, default: {x: a}, required: [x], properties: {x: {` + text + `}}}`, "", ""},
	} {
		schema := fmt.Sprintf(`{type: object, required: [spec], properties: {spec: {type: object, properties: {%s}, `+
			`x-kubernetes-validations: [%s]}}}`, tt.fields, tt.rules)
		expect(t, tt.why, findings(t, "transition-evaded", schema), tt.want)
	}
}

// TestExamplesOfRealDefinitions: the one rule of Gateway API that fails is known, and nothing else is found.
func TestExamplesOfRealDefinitions(t *testing.T) {
	found := map[string]int{}
	for _, file := range served.Definitions(t) {
		schema, err := openapi.FromProps(served.Stored(t, file))
		if err != nil {
			t.Fatal(err)
		}
		all, err := schemalint.Check(schema, schemalint.Options{Root: true, Costs: true, Only: []string{"rule-fails", "transition-evaded"}})
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range all {
			found[one.Lint+" "+one.At]++
			if !strings.Contains(one.At, "listeners") || !strings.Contains(one.What, "no such key: certificateRefs") {
				t.Errorf("%s: %+v", file, one)
			}
		}
	}
	if len(found) > 1 {
		t.Errorf("%v", found)
	}
}

package idl_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/backends/declarative/idl"
)

// linked generates the schema of a PodDisruptionBudget with overlays, each named by its index.
func linked(t *testing.T, files ...string) (*idl.Result, error) {
	t.Helper()
	var overlays []*idl.Overlay
	for i, content := range files {
		read, err := idl.ReadOverlay(string(rune('a'+i))+".yaml", []byte(content))
		if err != nil {
			t.Fatal(err)
		}
		overlays = append(overlays, read)
	}
	return idl.Generate(idl.Config{Roots: []idl.TypeName{policy("v1")}, Overlays: overlays})
}

// TestSets compares each use of a set with the rules that an author would write without it.
func TestSets(t *testing.T) {
	const use = `
package: k8s.io/api/policy
types:
  PodDisruptionBudgetSpec:
    markers:
`
	for _, row := range []struct{ why, shared, markers, want string }{
		{"a parameter is replaced by its value, in names and in quotes", `
sets:
  notZero(name, what):
  - +validationRule="self.$name != 0",message="$what must not be 0",field="$name"
`, `
    - {use: notZero, name: minAvailable, what: the least}
    - {use: notZero, name: maxUnavailable, what: the most}
`, `[{"rule": "self.minAvailable != 0", "message": "the least must not be 0", "fieldPath": ".minAvailable"},
     {"rule": "self.maxUnavailable != 0", "message": "the most must not be 0", "fieldPath": ".maxUnavailable"}]`},
		{"a set uses a set, and passes a parameter on", `
sets:
  immutable(name):
  - +validationRule="self.?$name == oldSelf.?$name"
  frozen(first):
  - {use: immutable, name: $first}
  - {use: immutable, name: selector}
`, `
    - {use: frozen, first: minAvailable}
`, `[{"rule": "self.?minAvailable == oldSelf.?minAvailable"}, {"rule": "self.?selector == oldSelf.?selector"}]`},
		{"an expression with arguments; parentheses where the place needs them", `
expressions:
  unset(field): "!has($field)"
  either(a, b): $unset($a) || $unset($b)
`, `
    - +validationRule="$either(self.minAvailable, self.maxUnavailable)"
    - +validationRule="$either(self.minAvailable, self.maxUnavailable) && true"
`, `[{"rule": "(!has(self.minAvailable)) || (!has(self.maxUnavailable))"}, {"rule": "((!has(self.minAvailable)) || ` +
			`(!has(self.maxUnavailable))) && true"}]`},
		{"an argument is also put in parentheses; a call or a member needs none", `
expressions:
  no(x): "!$x"
  count(list): $list.size()
`, `
    - +validationRule="$no(true || false)"
    - +validationRule="$count(self.list) > 0"
`, `[{"rule": "!(true || false)"}, {"rule": "self.list.size() > 0"}]`},
		{"commas and parentheses in quotes are no arguments", `
expressions:
  first(a, b): $a + $b
`, `
    - +validationRule="$first('),', [1, 2][0])"
`, `[{"rule": "'),' + [1, 2][0]"}]`},
		{"in a string literal of CEL a parameter is not replaced", `
sets:
  named(name, words):
  - +validationRule="'$name' in self.a",messageExpression="'$words' + r'$name' + \"$words\""
`, `
    - {use: named, name: job-name, words: it's "so"}
`, `[{"rule": "'job-name' in self.a", "messageExpression": "'it\\'s \"so\"' + r'job-name' + \"it's \\\"so\\\"\""}]`},
		{"quotes of an expression do not end those of the marker", `
expressions:
  empty: self == ""
`, `
    - +validationRule="$empty",messageExpression="'it is ' + string($empty)"
`, `[{"rule": "self == \"\"", "messageExpression": "'it is ' + string((self == \"\"))"}]`},
		{"braces end a name; two dollar signs are one; a dollar sign before anything else is itself", `
sets:
  prefix(format):
  - +validationRule="format.${format}Prefix().validate(self.a).hasValue() || format.$format().validate(self.a).hasValue() ` +
			`|| self.b.matches('^a$')",message="costs $$five, a$"
`, `
    - {use: prefix, format: dns1123Label}
`, `[{"rule": "format.dns1123LabelPrefix().validate(self.a).hasValue() || format.dns1123Label().validate(self.a).hasValue() ` +
			`|| self.b.matches('^a$')", "message": "costs $five, a$"}]`},
	} {
		t.Run(row.why, func(t *testing.T) {
			result, err := linked(t, row.shared, use+row.markers)
			if err != nil {
				t.Fatal(err)
			}
			got := plain(t, result.Definitions)["PodDisruptionBudgetSpec"].(map[string]any)["x-kubernetes-validations"]
			if diff := cmp.Diff(parse(t, row.want), got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestSetsForPlacesBelow(t *testing.T) {
	result, err := linked(t, `
sets:
  short(max):
  - +validationRule="size(self) <= $max"
  keys:
  - {use: short, at: .key, max: 5}
`, `
package: k8s.io/api/policy
types:
  PodDisruptionBudgetSpec:
    fields:
      selector:
      - {use: keys, at: ".matchExpressions:items"}
`)
	if err != nil {
		t.Fatal(err)
	}
	got := plain(t, result.Definitions)["PodDisruptionBudgetSpec"]
	for _, step := range []string{
		"properties",
		"selector",
		"properties",
		"matchExpressions",
		"items",
		"properties",
		"key",
		"x-kubernetes-validations",
	} {
		got = got.(map[string]any)[step]
	}
	if diff := cmp.Diff(parse(t, `[{"rule": "size(self) <= 5"}]`), got); diff != "" {
		t.Errorf("a set in a set is aimed from where the outer one is (-want +got):\n%s", diff)
	}
}

// TestMistakesInSets checks that all mistakes are reported at once, each with the place to fix.
func TestMistakesInSets(t *testing.T) {
	for _, row := range []struct {
		why   string
		files []string
		want  string
	}{
		{"sets and parameters", []string{`sets:
  least(field, value):
  - '+.$field:minimum=$value'
  unusedSet:
  - +validationRule="true"
`, `package: k8s.io/api/policy
types:
  PodDisruptionBudgetStatus:
    markers:
    - {use: leest, field: expectedPods, value: 0}
    - {use: least, feild: expectedPods, value: 0}
    - {use: least, field: expectedPods}
    - {use: least, field: expectedPods, value: $zero}
`}, `a.yaml:4: nothing uses the set unusedSet; remove it
b.yaml:5: there is no set leest; did you mean least?
b.yaml:6: the set least has no parameter feild; did you mean field?; it is declared in a.yaml:2
b.yaml:7: the set least needs the parameter value; it is declared in a.yaml:2
b.yaml:8: $zero: there is no expression or parameter of this name; there are none (a dollar sign before a name is written $$)
`},
		{"expressions", []string{`expressions:
  broken: self ==
  positive(x): $x > 0
  unused: "true"
  any(list): $list.exists(e, e > 0)
`, `package: k8s.io/api/policy
types:
  PodDisruptionBudgetStatus:
    markers:
    - +validationRule="$positiv(1)"
    - +validationRule="$positive(1, 2)"
    - +validationRule="[1].all(e, $any([e]))"
`}, `a.yaml:2: nothing uses the expression broken; remove it
a.yaml:2: the expression broken is not CEL: Syntax error: mismatched input '<EOF>' expecting {'[', '{', '(', '.', '-', ` +
			`'!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER} (line 1, column 8 of the expression)
a.yaml:4: nothing uses the expression unused; remove it
b.yaml:5: $positiv: there is no expression or parameter of this name; did you mean positive? (a dollar sign before a name is written $$)
b.yaml:6: $positive takes 1 argument (x), got 2; it is declared in a.yaml:3
b.yaml:7: $any([e]): the expression has a variable e of its own; rename one of them. It is declared in a.yaml:5
`},
		{"cycles", []string{`package: k8s.io/api/policy
expressions:
  chicken: $egg && true
  egg: $chicken || false
sets:
  a: [{use: b}]
  b: [{use: a}]
types:
  PodDisruptionBudgetStatus:
    markers:
    - {use: a}
    - +validationRule="$chicken"
`}, `a.yaml:3: the expression chicken uses itself: $chicken -> $egg -> $chicken
a.yaml:6: the set a uses itself: a -> b -> a
`},
		{"the names in a file with types are its own", []string{`package: k8s.io/api/policy
sets:
  mine: [+validationRule="true"]
types:
  PodDisruptionBudgetStatus:
    markers: [{use: mine}]
`, `package: k8s.io/api/policy
expressions:
  mine: "true"
types:
  PodDisruptionBudgetSpec:
    markers:
    - {use: mine}
    - +validationRule="$mine"
`}, `b.yaml:7: there is no set mine; there are none
`},
		{"declared twice", []string{`sets:
  x(a): [+validationRule="true"]
expressions:
  e: "true"
`, `package: k8s.io/api/policy
sets:
  x: []
expressions:
  e: "false"
types:
  PodDisruptionBudgetStatus:
    markers:
    - {use: x, a: b}
    - +validationRule="$e"
`}, `b.yaml:3: the set x is declared twice; first in a.yaml:2
b.yaml:5: the expression e is declared twice; first in a.yaml:4
`},
		{"a parameter that nothing names", []string{`package: k8s.io/api/policy
sets:
  x(a): [+validationRule="true"]
types:
  PodDisruptionBudgetStatus:
    markers: [{use: x, a: b}]
`}, "a.yaml:3: the set x does not use its parameter a\n"},
		{"a wrong marker of a set is reported once, with its first use; one that does not fit a place is reported with that place",
			[]string{`package: k8s.io/api/policy
sets:
  wrong:
  - +minimun=0
  - +.expectedPods:minLength=1
types:
  PodDisruptionBudgetStatus:
    markers: [{use: wrong}]
    fields:
      disruptedPods: [{use: wrong}]
`}, `a.yaml:4: unknown marker +minimun; did you mean +minimum?; the set is used in a.yaml:8
a.yaml:5: ".expectedPods" does not apply here: this is a map; the set is used in a.yaml:10
a.yaml:5: +minLength applies to text and int-or-strings; this is a number; the set is used in a.yaml:8
`},
		{"a wrong rule is shown with its names expanded", []string{`package: k8s.io/api/policy
sets:
  x(a):
  - +validationRule="self == $a"
types:
  PodDisruptionBudgetStatus:
    markers: [{use: x, a: (1}]
`}, `a.yaml:4: +validationRule: not CEL: Syntax error: missing ')' at '<EOF>' (line 1, column 11 of the expression); ` +
			`the set is used in a.yaml:7; with its names replaced it is +validationRule="self == (1"
`},
	} {
		t.Run(row.why, func(t *testing.T) {
			_, err := linked(t, row.files...)
			if diff := cmp.Diff(row.want, string(mistakesOf(t, err))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestMistakesInSignatures(t *testing.T) {
	_, err := idl.ReadOverlay("overlay.yaml", []byte(`package: a
sets:
  1st: []
  two(a, a): []
  three(a,): []
expressions:
  four(use): "true"
`))
	want := `overlay.yaml:3: "1st": write name, or name(parameter, parameter)
overlay.yaml:4: "two(a, a)": the parameter a is named twice
overlay.yaml:5: "three(a,)": "" cannot be the name of a parameter
overlay.yaml:7: "four(use)": "use" cannot be the name of a parameter
`
	if diff := cmp.Diff(want, string(mistakesOf(t, err))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	_, err = idl.ReadOverlay("overlay.yaml", []byte(`package: a
types:
  T:
    markers:
    - {name: x}
    - {use: x, list: [a]}
`))
	want = `overlay.yaml:5: use is missing: the name of a set; the other keys are its parameters, and at a place below
overlay.yaml:6: list must be text: the value of a parameter
`
	if diff := cmp.Diff(want, string(mistakesOf(t, err))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

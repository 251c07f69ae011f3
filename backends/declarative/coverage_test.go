package declarative_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/backends/declarative/tally"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// TestCoverageByHand compares the figures of a small schema with figures that were counted by hand.
func TestCoverageByHand(t *testing.T) {
	const text = `
type: object
required: [a]
properties:
  a: {type: integer, maximum: 5, minimum: 1}
  s: {type: string, maxLength: 3, pattern: "^x"}
  l:
    type: array
    maxItems: 2
    items: {type: string, enum: [p, q]}
  u:
    anyOf: [{required: [v]}, {maxProperties: 0}]
    type: object
    properties: {v: {type: string, nullable: true}}
x-kubernetes-validations:
- rule: "!has(self.a) || self.a != 3"
- rule: "self.a > 0"
`
	inputs := []string{
		`{a: 2}`,                     // all is right
		`{a: 9, s: xa}`,              // maximum
		`{a: 3, s: yyyy, l: [p, z]}`, // a rule; maxLength, so that the pattern is not checked; a valid item, an invalid one
		`{}`,                         // required; the second rule cannot be evaluated
		`{a: 1, s: ya, l: [z], u: {}}`,
		`{a: 1, u: {w: 1}}`, // neither branch
		`{a: 1, u: {v: null}}`,
	}
	want := []string{
		"type object: 7 7 0",
		"x-kubernetes-validations[0] !has(self.a) || self.a != 3: 7 6 1",
		"x-kubernetes-validations[1] self.a > 0: 7 6 0",
		"a type integer: 6 6 0",
		"a minimum 1: 6 6 0",
		"a maximum 5: 6 5 1",
		"a required: 7 6 1",
		"l type array: 2 2 0",
		"l maxItems 2: 2 2 0",
		`l[*] type string: 2 2 0`,
		`l[*] enum ["p","q"]: 2 1 2`,
		`l[*] enum value "p": 1 1 0`,
		`l[*] enum value "q": 0 0 0`,
		"s type string: 3 3 0",
		"s maxLength 3: 3 2 1",
		"s pattern ^x: 3 1 1",
		"u type object: 3 3 0",
		"u anyOf: 3 2 1",
		"u maxProperties 0 (u anyOf[1]): 2 1 1",
		"u.v type string: 1 1 0",
		"u.v required (u anyOf[0]): 3 1 2",
	}
	coverage := &tally.Coverage{}
	covered, plain := compile(t, text, declarative.Options{Coverage: coverage}), compile(t, text, declarative.Options{})
	var running sync.WaitGroup
	for _, input := range inputs {
		running.Go(func() {
			object := value.NewValueInterface(object(t, input))
			if got, want := fmt.Sprint(covered.Validate(t.Context(), object, nil)), fmt.Sprint(plain.Validate(t.Context(),
				object, nil)); got != want {
				t.Errorf("%s: counted %s, without %s", input, got, want)
			}
		})
	}
	running.Wait()
	compareLines(t, counted(coverage), want)
}

// covering returns the coverage of inputs.
func covering(t *testing.T, s *spec.Schema, definitions map[string]*spec.Schema, inputs ...string) *tally.Coverage {
	t.Helper()
	coverage := &tally.Coverage{}
	v, err := declarative.Compile(s, declarative.Options{Coverage: coverage, WithoutEstimation: true, Definitions: definitions})
	if err != nil {
		t.Fatal(err)
	}
	for _, input := range inputs {
		v.Validate(t.Context(), value.NewValueInterface(object(t, input)), nil)
	}
	return coverage
}

// TestCoverageOfDefinitions: a definition has one place for each path. A recursive definition has those of
// its first level.
func TestCoverageOfDefinitions(t *testing.T) {
	root := served.Schema(t, `{type: object, properties: {a: {$ref: "#/definitions/leaf"}, b: {$ref: "#/definitions/leaf"}, `+
		`tree: {$ref: "#/definitions/node"}}}`)
	coverage := covering(t, root, map[string]*spec.Schema{
		"leaf": served.Schema(t, `{type: integer, maximum: 5}`),
		"node": served.Schema(t, `{type: object, properties: {v: {$ref: "#/definitions/leaf"}, next: {$ref: "#/definitions/node"}}}`),
	}, `{a: 1, b: 9}`, `{tree: {v: 1, next: {v: 9, next: {}}}}`)
	compareLines(t, counted(coverage), []string{
		"type object: 2 2 0",
		"a type integer: 1 1 0", "a maximum 5: 1 1 0",
		"b type integer: 1 1 0", "b maximum 5: 1 0 1",
		"tree type object: 1 1 0",
		"tree.v type integer: 1 1 0", "tree.v maximum 5: 1 1 1",
	})
}

// TestCoverageOfRulesOverDefinitions: a rule that compares values of a definition to which two fields refer
// compiles with coverage as without it.
func TestCoverageOfRulesOverDefinitions(t *testing.T) {
	root := served.Schema(t, `
type: object
properties: {a: {$ref: "#/definitions/list"}, b: {$ref: "#/definitions/list"}}
x-kubernetes-validations: [{rule: "(self.a + self.b).map(i, i.path).size() < 2"}]
`)
	coverage := covering(t, root, map[string]*spec.Schema{
		"list": served.Schema(t, `{type: array, items: {$ref: "#/definitions/item"}}`),
		"item": served.Schema(t, `{type: object, properties: {path: {type: string}}, x-kubernetes-validations: [{rule: "self.path `+
			`!= 'x'"}]}`),
	}, `{a: [{path: p}], b: [{path: x}]}`)
	var rules []string
	for _, line := range counted(coverage) {
		if strings.Contains(line, "x-kubernetes-validations") {
			rules = append(rules, line)
		}
	}
	compareLines(t, rules, []string{
		"x-kubernetes-validations[0] (self.a + self.b).map(i, i.path).size() < 2: 1 0 1",
		"a[*] x-kubernetes-validations[0] self.path != 'x': 1 1 0",
		"b[*] x-kubernetes-validations[0] self.path != 'x': 1 0 1",
	})
}

// TestCoverageOfFields: a field is reached by the inputs that set it.
func TestCoverageOfFields(t *testing.T) {
	schema := served.Schema(t, `{type: object, properties: {a: {type: string}, l: {type: array, items: {type: object, `+
		`properties: {o: {type: integer}, m: {type: integer}}}}, x: {type: object, additionalProperties: {type: string}}}}`)
	coverage := covering(t, schema, nil, `{a: ""}`, `{l: [{o: 1}, {o: 2}]}`, `{x: {k: v}, l: []}`)
	var got []string
	for _, p := range coverage.Places() {
		if p.Keyword == tally.FieldPlace {
			got = append(got, fmt.Sprintf("%s: %d", p.Path, p.Reached))
		}
	}
	compareLines(t, got, []string{"a: 1", "l: 2", "l[*]: 1", "l[*].m: 0", "l[*].o: 1", "x: 1", "x[*]: 1"})
}

// counted writes places with the numbers of inputs that reached, passed and failed them.
func counted(c *tally.Coverage) []string {
	var lines []string
	for _, p := range c.Places() {
		if p.Keyword == tally.FieldPlace {
			continue // see TestCoverageOfFields
		}
		name := strings.TrimSpace(p.Path + " " + p.Keyword)
		if p.Keyword == "x-kubernetes-validations" {
			name += fmt.Sprintf("[%d]", p.Index)
		}
		if p.Value != "" {
			name += " " + p.Value
		}
		if p.Within != "" {
			name += " (" + p.Within + ")"
		}
		lines = append(lines, fmt.Sprintf("%s: %d %d %d", name, p.Reached, p.Passed, p.Failed))
	}
	return lines
}

func compareLines(t *testing.T, got, want []string) {
	t.Helper()
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

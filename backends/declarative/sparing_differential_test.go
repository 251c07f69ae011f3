package declarative_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
)

// sparable has rules on a list and below it: some that are total, some that need a
// default, some that break.
const sparable = `
type: object
properties:
  spec:
    type: object
    properties:
      things:
        type: array
        maxItems: 20
        items:
          type: object
          required: [name]
          properties:
            name: {type: string, maxLength: 10}
            kind: {type: string, maxLength: 10, default: a}
            size: {type: integer}
            wait: {type: string, maxLength: 10}
            tags:
              type: array
              maxItems: 5
              items: {type: string, maxLength: 5}
              x-kubernetes-validations: [{rule: "self.all(t, t != 'bad')", message: a bad tag}]
          x-kubernetes-validations:
          - {rule: self.name != 'bad', message: a bad name}
          - {rule: self.kind != 'bad', message: a bad kind}
          - {rule: "!has(self.size) || self.size < 10", message: too large}
          - {rule: "!has(self.wait) || duration(self.wait) < duration('1h')", message: too long}
        x-kubernetes-validations: [{rule: 'self.all(a, self.exists_one(b, a.name == b.name))', message: twice}]
      named:
        type: object
        maxProperties: 5
        additionalProperties:
          type: object
          properties: {up: {type: boolean}}
          x-kubernetes-validations: [{rule: '!has(self.up) || self.up', message: down}]
      keyed:
        type: array
        maxItems: 5
        x-kubernetes-list-type: map
        x-kubernetes-list-map-keys: [name]
        items:
          type: object
          required: [name]
          properties: {name: {type: string, maxLength: 10}, size: {type: integer}}
          x-kubernetes-validations: [{rule: self.name != 'bad', message: a bad name}]
      grown:
        type: array
        maxItems: 5
        items: {type: string, maxLength: 10}
        x-kubernetes-validations:
        - {rule: self.size() >= oldSelf.size(), message: fewer}
        - {rule: "self.all(s, s != 'bad')", message: a bad text}
      told:
        type: array
        maxItems: 5
        items: {type: string, maxLength: 10}
        x-kubernetes-validations: [{rule: self.size() < 1, messageExpression: "'there is ' + self[0] + self[4]"}]
  other: {type: string}
`

// sparedUpdates are updates of an object of sparable. A size of 100 stands for 1.0, which
// YAML makes 1.
func sparedUpdates() []struct {
	name, why, object, old string
	spared, valid          bool
} {
	return []struct {
		name, why, object, old string
		spared, valid          bool
	}{
		{"nothing", "all is true", `{spec: {things: [{name: a, kind: b}]}}`, "", true, true},
		{"false", "a rule that is false on what did not change is dropped", `{spec: {things: [{name: bad, kind: bad, size: 20, tags: [bad]}]}}`, "", true, true},
		{"broken", "one that cannot be evaluated is not: there is no default", `{spec: {things: [{name: bad}]}}`, "", true, false},
		{"broken among others", "the kind of one thing alone is missing", `{spec: {things: [{name: a, kind: b}, {name: c}, {name: c, kind: b}]}}`, "", true, false},
		{"no duration", "a rule that can break runs", `{spec: {things: [{name: bad, kind: a, wait: x}]}}`, "", true, false},
		{"too long", "and is dropped where it is false", `{spec: {things: [{name: a, kind: a, wait: 2h}]}}`, "", true, true},
		{"changed elsewhere", "an update of another field", `{spec: {things: [{name: bad, kind: b}]}, other: x}`, `{spec: {things: [{name: bad, kind: b}]}}`, true, true},
		{"changed beside", "another list in the spec", `{spec: {things: [{name: bad, kind: b}], grown: [bad]}}`, `{spec: {things: [{name: bad, kind: b}], grown: [a]}}`, true, false},
		{"changed inside", "an item changed, and with it the list", `{spec: {things: [{name: bad, kind: b, size: 1}]}}`, `{spec: {things: [{name: bad, kind: b}]}}`, false, false},
		{"another order", "so did the list", `{spec: {things: [{name: bad, kind: b}, {name: c, kind: d}]}}`, `{spec: {things: [{name: c, kind: d}, {name: bad, kind: b}]}}`, false, false},
		{"another type", "1 is not 1.0", `{spec: {things: [{name: bad, kind: b, size: 1}]}}`, `{spec: {things: [{name: bad, kind: b, size: 100}]}}`, false, false},
		{"a whole number", "1.0 fits an integer, and rules cannot read it", `{spec: {things: [{name: a, kind: b, size: 100}]}}`, "", false, false},
		{"a whole number beside", "what is spared depends on the object as a whole", `{spec: {things: [{name: bad, kind: b}], keyed: [{name: a, size: 100}]}}`, "", false, true},
		{"an unknown field", "what nothing is known of is not compared", `{spec: {things: [{name: bad, kind: b, x: y}]}}`, "", false, true},
		{"does not fit", "schema errors are dropped, rules run on data of the wrong type", `{spec: {things: [{name: 1, kind: b}]}}`, "", false, false},
		{"map", "entries of a map", `{spec: {named: {a: {up: false}, b: {}}}}`, "", true, true},
		{"map that changed", "one entry did not", `{spec: {named: {a: {up: false}, b: {}}}}`, `{spec: {named: {a: {up: false}}}}`, true, true},
		{"keyed", "a list by keys", `{spec: {keyed: [{name: bad}]}}`, "", true, true},
		{"keyed in another order", "which is the same list", `{spec: {keyed: [{name: bad}, {name: a}]}}`, `{spec: {keyed: [{name: a}, {name: bad}]}}`, false, true},
		{"keyed and twice", "an item that is there twice", `{spec: {keyed: [{name: bad}, {name: bad}]}}`, "", false, true},
		{"transition", "a transition rule runs", `{spec: {grown: [bad]}}`, "", true, true},
		{"message", "what a rule would say is not made", `{spec: {told: [a]}}`, "", true, true},
		{"null", "a list that is null", `{spec: {things: null}}`, "", false, true},
	}
}

// TestSparedAgainstReference: the API server says the same of updates whose rules are not
// all run.
func TestSparedAgainstReference(t *testing.T) {
	v := compile(t, sparable, declarative.Options{Root: true, Semantics: declarative.CustomResources})
	for _, tt := range sparedUpdates() {
		t.Run(tt.name, func(t *testing.T) {
			obj, old := wholeNumbers(object(t, tt.object)), wholeNumbers(object(t, tt.old))
			if old == nil {
				old = runtime.DeepCopyJSON(obj)
			}
			want := lines(reference(t, sparable, true, obj, old))
			got, spared := v.ValidatePatiently(t.Context(), value.NewValueInterface(obj), value.NewValueInterface(old))
			if d := cmp.Diff(want, lines(got)); d != "" {
				t.Errorf("%s (-reference +declarative):\n%s", tt.why, d)
			}
			if (len(want) == 0) != tt.valid || spared != tt.spared {
				t.Errorf("%s: valid is %t, something is the same %t; should be %t and %t: %v", tt.why, len(want) == 0, spared, tt.valid, tt.spared, want)
			}
			quickly := v.Validate(t.Context(), value.NewValueInterface(obj), value.NewValueInterface(old))
			if d := cmp.Diff(want, lines(quickly)); d != "" {
				t.Errorf("%s, compared as far as it is worth (-reference +declarative):\n%s", tt.why, d)
			}
		})
	}
}

func wholeNumbers(obj map[string]any) map[string]any {
	for name, v := range obj {
		switch v := v.(type) {
		case map[string]any:
			wholeNumbers(v)
		case []any:
			for _, item := range v {
				if item, ok := item.(map[string]any); ok {
					wholeNumbers(item)
				}
			}
		case int64:
			if v == 100 {
				obj[name] = 1.0
			}
		}
	}
	return obj
}

// bounded has two lists of lists whose rules are total.
const bounded = `
type: object
properties:
  a: &lists
    type: array
    maxItems: 300
    items:
      type: array
      maxItems: 60
      items: {type: integer}
      x-kubernetes-validations:
      - rule: self.all(a, self.all(b, a == b || a != b))
  b: *lists
`

// TestSparedBudgets: rules that are not run do not hide that a budget is too small, nor
// make it so. All rules are true, so that an update says what a create says, which is held
// against the reference elsewhere.
func TestSparedBudgets(t *testing.T) {
	v := compile(t, bounded, declarative.Options{
		Root: true, Semantics: declarative.CustomResources, Estimation: declarative.EstimationOff,
		Limits: declarative.Limits{PerObject: 200_000},
	})
	for _, tt := range []struct {
		name, why              string
		a, b, items            int
		changed                bool // b
		spared, redone, failed bool
	}{
		{"cheap", "all of it is the same", 1, 1, 10, false, true, false, false},
		{"one is the same", "the rules on the other run", 2, 1, 10, true, true, false, false},
		{"dear together", "what could be spared is more than the budget has: rules run, which cost less", 20, 1, 10, true, false, false, false},
		{"too dear", "and cost too much: so it is said, though nothing changed", 1, 20, 60, false, true, true, true},
		{"dear besides", "what is spared and what is run is too much together, what both cost is not", 3, 6, 50, true, true, true, false},
		{"too dear besides", "what is run is too much alone", 3, 12, 50, true, true, true, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			obj := map[string]any{"a": listsOf(tt.a, 8)["lists"], "b": listsOf(tt.b, tt.items)["lists"]}
			old := runtime.DeepCopyJSON(obj)
			if tt.changed {
				old["b"] = listsOf(1, 1)["lists"]
			}
			after, before := value.NewValueInterface(obj), value.NewValueInterface(old)
			want, got := lines(v.Validate(t.Context(), after, nil)), lines(v.Validate(t.Context(), after, before))
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("%s (-create +update):\n%s", tt.why, d)
			}
			spared, redone := v.Sparing(t.Context(), after, before)
			if spared != tt.spared || redone != tt.redone || (len(want) > 0) != tt.failed {
				t.Errorf("%s: spared is %t, redone %t; the errors are %v", tt.why, spared, redone, want)
			}
		})
	}
}

// TestSparedByGeneration: where the generation says that the spec changed, nothing is
// compared that is much.
func TestSparedByGeneration(t *testing.T) {
	v := compile(t, bounded, declarative.Options{Root: true, Semantics: declarative.CustomResources, Estimation: declarative.EstimationOff})
	of := func(generation any) value.Value {
		return value.NewValueInterface(map[string]any{"metadata": map[string]any{"generation": generation}, "a": listsOf(2, 8)["lists"]})
	}
	for _, tt := range []struct {
		why      string
		now, old any
		spared   bool
	}{
		{"the same generation", int64(1), int64(1), true},
		{"another", int64(2), int64(1), false},
		{"none before", int64(1), nil, false},
		{"none at all, as before the API server sets it", nil, nil, true},
		{"no number", "1", "2", true},
		{"nothing that can be compared", map[string]any{}, []any{}, true},
	} {
		if spared, _ := v.Sparing(t.Context(), of(tt.now), of(tt.old)); spared != tt.spared {
			t.Errorf("%s: spared is %t", tt.why, spared)
		}
	}
}

// TestSparedInterrupted: a request that was given up is told so, though no rule need run.
func TestSparedInterrupted(t *testing.T) {
	v := compile(t, bounded, declarative.Options{Root: true, Semantics: declarative.CustomResources, Estimation: declarative.EstimationOff})
	obj := map[string]any{"a": listsOf(2, 16)["lists"]}
	after, before := value.NewValueInterface(obj), value.NewValueInterface(runtime.DeepCopyJSON(obj))
	if spared, _ := v.Sparing(t.Context(), after, before); !spared {
		t.Error("nothing is spared, which shows nothing")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	want := lines(v.Validate(ctx, after, nil))
	if d := cmp.Diff(want, lines(v.Validate(ctx, after, before))); d != "" || len(want) == 0 {
		t.Errorf("(-create +update):\n%s", d)
	}
}

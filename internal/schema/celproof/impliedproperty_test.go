package celproof_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/cel-go/common/ast"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/schema/celproof"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// some has few values of each kind, all of which are tried.
const some = `{type: object, required: [r], properties: {r: {type: integer, minimum: 0, maximum: 3}, a: {type: integer%s}, ` +
	`b: {type: string%s}, k: {type: string, enum: [u, v]}, m: {type: number}}`

// rule writes a rule of comparisons.
func rule(src *rand.Rand, depth int) string {
	if depth == 0 || src.IntN(4) == 0 {
		atoms := []string{
			"has(self.a)", "has(self.b)", "self.a %[1]s %[2]d", "self.r %[1]s %[2]d", "%[2]d %[1]s self.a", "self.k == 'u'",
			"self.k != 'v'", "self.k in ['u', 'v']",
			"self.b == 'p'", "self.b != 'q'", "size(self.b) %[1]s %[2]d", "self.b.startsWith('p')", "self.m %[1]s %[2]d.5",
			"self.a in [0, 2]", "has(self.k)",
		}
		atom := atoms[src.IntN(len(atoms))]
		if !strings.Contains(atom, "%") {
			return atom
		}
		return fmt.Sprintf(atom, []string{"<", "<=", ">", ">=", "==", "!="}[src.IntN(6)], src.IntN(4))
	}
	a, b := rule(src, depth-1), rule(src, depth-1)
	switch src.IntN(4) {
	case 0:
		return "(" + a + " && " + b + ")"
	case 1:
		return "!(" + a + ")"
	case 2:
		return "(" + a + " ? " + b + " : " + rule(src, depth-1) + ")"
	}
	return "(" + a + " || " + b + ")"
}

// values are objects that the schema accepts, with and without each field.
func values() []map[string]any {
	all := []map[string]any{{}}
	add := func(name string, values ...any) {
		var more []map[string]any
		for _, object := range all {
			for _, one := range values {
				made := map[string]any{}
				for key, other := range object {
					made[key] = other
				}
				if one != nil {
					made[name] = one
				}
				more = append(more, made)
			}
		}
		all = more
	}
	add("r", int64(0), int64(3))
	add("a", nil, int64(-1), int64(0), int64(1), int64(2), int64(3), int64(4))
	add("b", nil, "", "p", "q", "pqr")
	add("k", nil, "u", "v")
	add("m", nil, 0.75, 1.5)
	return all
}

// TestNoFalseImplication: if a rule is said to follow from others, no object satisfies them and violates it.
// For defaults: not even once they are filled in.
func TestNoFalseImplication(t *testing.T) {
	src := rand.New(rand.NewPCG(3, 0))
	objects := values()
	implied, defaulted := 0, 0
	before := served.Schema(t, fmt.Sprintf(some, "", "")+"}")
	after := served.Schema(t, fmt.Sprintf(some, ", default: 2", ", default: p")+"}")
	for range 300 {
		by, wanted := []string{rule(src, 2), rule(src, 1)}, rule(src, 2)
		if src.IntN(3) == 0 {
			wanted = by[0] + " || " + rule(src, 1)
		}
		var premises []ast.Expr
		for _, text := range by {
			premises = append(premises, celexpr.Parse(text))
		}
		conclusion := celexpr.Parse(wanted)
		of := celproof.Schema{Schema: before}
		holds := celproof.Implied(conclusion, premises, of, of)
		with := celproof.HoldsWithDefault(conclusion, premises, celproof.Schema{Schema: after}, of, []string{"a"}, int64(2)) &&
			celproof.HoldsWithDefault(conclusion, premises, celproof.Schema{Schema: after}, of, []string{"b"}, "p")
		if !holds && !with {
			continue
		}
		meets, breaks := evaluator(t, by...), evaluator(t, wanted)
		for _, object := range objects {
			if !meets(object) {
				continue
			}
			if holds {
				implied++
				if !breaks(object) {
					t.Fatalf("%s is said to follow from %q, and does not for %v", wanted, by, object)
				}
			}
			for name, value := range map[string]any{"a": int64(2), "b": "p"} {
				if _, has := object[name]; has || !with || !breaks(object) {
					continue
				}
				filled := map[string]any{name: value}
				for key, one := range object {
					filled[key] = one
				}
				defaulted++
				if !breaks(filled) {
					t.Fatalf("%s is said to hold with the default of %s beside %q, and does not for %v", wanted, name, by, filled)
				}
			}
		}
	}
	if implied < 1000 || defaulted < 1000 {
		t.Errorf("%d and %d objects: that shows nothing", implied, defaulted)
	}
}

// evaluator evaluates rules on objects.
func evaluator(t *testing.T, rules ...string) func(map[string]any) bool {
	t.Helper()
	schema := served.Schema(t, fmt.Sprintf(some, "", "")+"}")
	var list []any
	for _, text := range rules {
		list = append(list, map[string]any{"rule": text})
	}
	schema.AddExtension("x-kubernetes-validations", list)
	v, err := declarative.Compile(schema, declarative.Options{Semantics: declarative.CustomResources, WithoutEstimation: true})
	if err != nil {
		t.Fatal(rules, err)
	}
	return func(object map[string]any) bool {
		return len(v.Validate(t.Context(), value.NewValueInterface(object), nil)) == 0
	}
}

package cel

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/debug"
	"k8s.io/apimachinery/pkg/util/version"

	"github.com/diffrun/diffrun/backends/declarative/internal/cel/decl"
	"github.com/diffrun/diffrun/backends/declarative/internal/cel/plan"
	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

var (
	rules    = flag.Uint64("rules", 500, "how many rules are generated")
	rulesOf  = flag.Uint64("rules-seed", 1, "what they are generated from")
	versions = []*version.Version{nil, version.MajorMinor(1, 25), version.MajorMinor(1, 29), version.MajorMinor(1, 32), version.MajorMinor(1, 35)}
)

// TestGeneratedRules holds rules that are compiled without cel-go's environment against
// those that cel-go compiles: what is accepted here is accepted there, and is the same
// expression with the same types, references and estimate; and a plan gives what cel-go
// gives, for no less than what that costs.
func TestGeneratedRules(t *testing.T) {
	objects := things()
	objects["many"] = many()
	var quick, wrong, proved int
	const perEnv = 25
	for i := range (*rules + perEnv - 1) / perEnv {
		a := &author{r: rand.New(rand.NewPCG(*rulesOf, i))}
		env, err := NewEnv(Config{Version: versions[i%uint64(len(versions))], PerCall: 1_000_000, Formats: func(name, _ string) ([]string, bool) { return nil, name == "known" }})
		if err != nil {
			t.Fatal(err)
		}
		for range perEnv {
			text, optional := a.expr("bool", 1+a.r.IntN(4)), a.r.IntN(6) == 0
			if a.r.IntN(4) == 0 {
				text = a.slip(text)
			}
			t.Run(fmt.Sprintf("%d %q", i, text), func(t *testing.T) {
				whole := wholly(t, env, text, optional)
				if whole == nil {
					wrong++
				}
				if agrees(t, env, text, optional, whole) {
					quick++
					proved += provedOf(t, env, Rule{Rule: text, OptionalOldSelf: optional}, whole, objects)
				}
			})
		}
	}
	t.Logf("%d are checked here, %d are wrong, plans are true %d times", quick, wrong, proved)
	if quick == 0 || wrong == 0 || proved == 0 {
		t.Error("the rules are such that the test shows nothing")
	}
}

// wholly compiles a rule with cel-go; nil is for one that is wrong.
func wholly(t *testing.T, env *Env, text string, optional bool) *cel.Ast {
	t.Helper()
	slow, err := env.forRule(thingOf(env), optional)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := env.compile(slow, text, results{cel.BoolType})
	if err != nil {
		return nil
	}
	return whole
}

// thingOf is the one thing that the rules of an environment are on.
func thingOf(env *Env) *decl.Type {
	if s := env.provider.Object("thing"); s != nil {
		return s
	}
	return thing()
}

// agrees holds the quick check of a rule against cel-go's. It is false for a rule that is
// left to cel-go.
func agrees(t *testing.T, env *Env, text string, optional bool, whole *cel.Ast) bool {
	t.Helper()
	s := thingOf(env)
	checked := env.checkQuickly(text, s, optional, results{cel.BoolType})
	switch {
	case checked == nil:
		return false
	case whole == nil:
		t.Error("is accepted, but not by cel-go")
		return false
	}
	want := expression{whole.NativeRep(), whole}
	if got, want := debug.ToDebugString(checked.Expr()), debug.ToDebugString(want.Expr()); got != want {
		t.Errorf("is %s, by cel-go %s", got, want)
	}
	if len(checked.TypeMap()) != len(want.TypeMap()) || len(checked.ReferenceMap()) != len(want.ReferenceMap()) {
		t.Errorf("has %d types and %d references, by cel-go %d and %d",
			len(checked.TypeMap()), len(checked.ReferenceMap()), len(want.TypeMap()), len(want.ReferenceMap()))
	}
	cost, err := env.estimate(expression{AST: checked}, s, optional)
	wantCost, wantErr := env.estimate(want, s, optional)
	if cost != wantCost || (err == nil) != (wantErr == nil) {
		t.Errorf("is estimated at %d (%v), by cel-go at %d (%v)", cost, err, wantCost, wantErr)
	}
	return true
}

// provedOf runs a rule on objects and says how often its plan was enough.
func provedOf(t *testing.T, env *Env, rule Rule, whole *cel.Ast, objects map[string]map[string]any) int {
	t.Helper()
	s := thingOf(env)
	if rule.OptionalOldSelf && !strings.Contains(rule.Rule, plan.OldSelf) {
		return 0 // a mistake
	}
	p, mistakes := env.Compile(rule, s)
	slow, err := env.forRule(s, rule.OptionalOldSelf)
	if err != nil {
		t.Fatal(err)
	}
	if _, err = env.program(slow, whole, s); (p == nil) != (err != nil) {
		t.Errorf("is compiled: %t (%v), by cel-go: %v", p != nil, mistakes, err)
	}
	if p == nil || p.plan == nil {
		return 0
	}
	if err := p.ready(); err != nil {
		t.Error(err)
	}
	proved := 0
	for name, object := range objects {
		for _, hasOld := range []bool{true, false} {
			if !hasOld && p.UsesOldSelf && !rule.OptionalOldSelf {
				continue
			}
			if comparePlan(t, p, name, view.OfJSON(object), view.OfJSON(objects["full"]), hasOld) {
				proved++
			}
		}
	}
	return proved
}

// many is a thing with long lists.
func many() map[string]any {
	object := maps.Clone(things()["full"])
	var items, set []any
	for i := range int64(9) {
		items = append(items, map[string]any{"name": string(rune('a' + i%7)), "port": i % 5})
		set = append(set, string(rune('a'+i)))
	}
	object["items"], object["set"] = append(items, map[string]any{"name": "b"}), set
	return object
}

package cel

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/debug"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/version"

	"github.com/diffrun/diffrun/backends/declarative/internal/cel/plan"
	"github.com/diffrun/diffrun/backends/declarative/internal/cel/types"
	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

var (
	rules    = flag.Uint64("rules", 500, "how many rules are generated")
	rulesOf  = flag.Uint64("rules-seed", 1, "what they are generated from")
	versions = []*version.Version{
		nil,
		version.MajorMinor(1, 25),
		version.MajorMinor(1, 29),
		version.MajorMinor(1, 32),
		version.MajorMinor(1, 35),
	}
)

// newEnv returns an environment with the functions of a version, and the format "known".
func newEnv(t *testing.T, v *version.Version) *Env {
	t.Helper()
	l, err := NewLanguage(v, func(name, _ string) ([]string, bool) { return nil, name == "known" })
	if err != nil {
		t.Fatal(err)
	}
	return l.NewEnv(1_000_000)
}

// update is a value and its old one.
type update struct {
	name     string
	val, old view.View
}

// TestRulesOfTables: the rules that compile here are those that cel-go compiles, each plan is true for at
// least one object, and its results equal cel-go's.
func TestRulesOfTables(t *testing.T) {
	things, wholes, quick := thingUpdates(rand.New(rand.NewPCG(1, 1)), 20), typedUpdates(t), 0
	for _, table := range []struct {
		rules   []string
		typ     func() *types.Type
		updates []update
		planned bool
	}{{plannedRules(), thing, things, true}, {typedRules(), wholeType, wholes, true}, {checkedRules(), thing, things, false}} {
		for _, text := range table.rules {
			t.Run(text, func(t *testing.T) {
				env, s := newEnv(t, nil), table.typ()
				whole := compileWithCELGo(t, env, s, text, false)
				if agreesWithCELGo(t, env, s, text, false, whole) {
					quick++
				}
				if whole != nil && countProved(t, env, s, Rule{Rule: text}, whole, table.updates) == 0 && table.planned {
					t.Error("its plan is true of no object")
				}
			})
		}
	}
	if all := len(plannedRules()) + len(typedRules()); quick < all*3/4 {
		t.Errorf("only %d of %d rules are checked without the environment of cel-go", quick, all)
	}
}

// TestGeneratedRules does the same for the rules of a ruleGenerator.
func TestGeneratedRules(t *testing.T) {
	var quick, wrong, proved int
	const perEnv = 25
	for i := range (*rules + perEnv - 1) / perEnv {
		a := &ruleGenerator{r: rand.New(rand.NewPCG(*rulesOf, i))}
		env, s, updates := newEnv(t, versions[i%uint64(len(versions))]), thing(), thingUpdates(a.r, 2)
		for range perEnv {
			text, optional := a.expr("bool", 1+a.r.IntN(4)), a.r.IntN(6) == 0
			if a.r.IntN(4) == 0 {
				text = a.misspell(text)
			}
			t.Run(fmt.Sprintf("%d %q", i, text), func(t *testing.T) {
				whole := compileWithCELGo(t, env, s, text, optional)
				if whole == nil {
					wrong++
				}
				if agreesWithCELGo(t, env, s, text, optional, whole) {
					quick++
					proved += countProved(t, env, s, Rule{Rule: text, OptionalOldSelf: optional}, whole, updates)
				}
			})
		}
	}
	t.Logf("%d are checked here, %d are wrong, plans are true %d times", quick, wrong, proved)
	if quick == 0 || wrong == 0 || proved == 0 {
		t.Error("the rules are such that the test shows nothing")
	}
}

// compileWithCELGo compiles a rule with cel-go. It returns nil if the rule is wrong.
func compileWithCELGo(t *testing.T, env *Env, s *types.Type, text string, optional bool) *cel.Ast {
	t.Helper()
	slow, err := env.forRule(s, optional)
	if err != nil {
		t.Fatal(err)
	}
	whole, err := env.compile(slow, text, results{cel.BoolType})
	if err != nil {
		return nil
	}
	return whole
}

// agreesWithCELGo compares the quick check of a rule with cel-go's. It returns false if the rule is left to
// cel-go.
func agreesWithCELGo(t *testing.T, env *Env, s *types.Type, text string, optional bool, whole *cel.Ast) bool {
	t.Helper()
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

// countProved runs a rule on updates and returns how often its plan was enough.
func countProved(t *testing.T, env *Env, s *types.Type, rule Rule, whole *cel.Ast, updates []update) int {
	t.Helper()
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
	for _, u := range updates {
		for _, hasOld := range []bool{true, false} {
			if hasOld || !p.UsesOldSelf || rule.OptionalOldSelf {
				if comparePlan(t, p, u.name, u.val, u.old, hasOld) {
					proved++
				}
			}
		}
	}
	return proved
}

// thingUpdates are updates to each of the things, and to some random ones.
func thingUpdates(r *rand.Rand, random int) []update {
	all, objects := []update{}, things()
	objects["long lists"] = longLists()
	for _, name := range slices.Sorted(maps.Keys(objects)) {
		all = append(all, update{name, view.OfJSON(objects[name]), view.OfJSON(objects["full"])})
	}
	for range random {
		object := map[string]any{
			"items": randomItems(r), "set": randomTexts(r), "labels": map[string]any{"a": "b", "c": []any{"d", nil, int64(1)}[r.IntN(3)]},
			"one": map[string]any{"name": "x"}, "sel": map[string]any{"matchExpressions": []any{map[string]any{"x": int64(1)}}},
			"s": "x", "i": int64(1), "d": 1.5, "zero": int64(0),
		}
		old := runtime.DeepCopyJSON(object)
		mutate(r, old)
		all = append(all, update{fmt.Sprint(object, old), view.OfJSON(object), view.OfJSON(old)})
	}
	return all
}

// longLists is a thing with long lists.
func longLists() map[string]any {
	object := maps.Clone(things()["full"])
	var items, set []any
	for i := range int64(9) {
		items = append(items, map[string]any{"name": string(rune('a' + i%7)), "port": i % 5})
		set = append(set, string(rune('a'+i)))
	}
	object["items"], object["set"] = append(items, map[string]any{"name": "b"}), set
	return object
}

// mutate makes a change in some objects.
func mutate(r *rand.Rand, object map[string]any) {
	items, _ := object["items"].([]any)
	switch r.IntN(9) {
	case 0:
		object["set"] = append(object["set"].([]any), "more")
	case 1:
		r.Shuffle(len(items), func(i, j int) { items[i], items[j] = items[j], items[i] })
	case 2:
		delete(object, "labels")
	case 3:
		object["one"].(map[string]any)["unknown"] = "x"
	case 4:
		object["none"] = nil
	case 5:
		if len(items) > 0 {
			items[0] = map[string]any{"name": "changed"}
		}
	}
}

func randomItems(r *rand.Rand) []any {
	items := []any{}
	names, odd := 1+r.IntN(40), r.IntN(4) == 0
	for i := range r.IntN(25) {
		item := map[string]any{"name": fmt.Sprint("name-", r.IntN(names)), "port": int64(r.IntN(3))}
		if r.IntN(3) == 0 {
			item["name"] = fmt.Sprint("own-", i)
		}
		if odd && r.IntN(6) == 0 {
			delete(item, []string{"name", "port"}[r.IntN(2)])
		}
		items = append(items, item)
		if odd && r.IntN(20) == 0 {
			items = append(items, []any{nil, "x", map[string]any{"name": int64(1)}}[r.IntN(3)])
		}
	}
	return items
}

func randomTexts(r *rand.Rand) []any {
	texts := []any{}
	for range r.IntN(20) {
		texts = append(texts, fmt.Sprint("name-", r.IntN(40)))
	}
	if r.IntN(8) == 0 {
		texts = append(texts, []any{int64(1), nil, "name-1"}[r.IntN(3)])
	}
	return texts
}

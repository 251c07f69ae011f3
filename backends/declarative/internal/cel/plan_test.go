package cel

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative/internal/cel/types"
	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// thing is a type with a field of each kind that plans support, and of some that they do not.
func thing() *types.Type {
	text, whole := &types.Type{Kind: types.String}, &types.Type{Kind: types.Int}
	item := &types.Type{Kind: types.Object, Name: "item", Fields: []types.Field{{Name: "name", Type: text}, {Name: "port", Type: whole}}}
	return &types.Type{Kind: types.Object, Name: "thing", Fields: []types.Field{
		{Name: "s", Type: text}, {Name: "t", Type: text}, {Name: "i", Type: whole}, {Name: "d", Type: &types.Type{Kind: types.Double}},
		{Name: "b", Type: &types.Type{Kind: types.Bool}}, {Name: "any", Type: &types.Type{Kind: types.Dyn}},
		{Name: "when", Type: &types.Type{Kind: types.Duration}},
		{Name: "items", Type: &types.Type{Kind: types.List, Elem: item, ListType: types.MapByKeys, Keys: []string{"name"}}},
		{Name: "set", Type: &types.Type{Kind: types.List, Elem: text, ListType: types.Set}},
		{Name: "labels", Type: &types.Type{Kind: types.Map, Elem: text}},
		{Name: "sel", Type: &types.Type{Kind: types.Object, Name: "sel", Fields: []types.Field{
			{Name: "matchLabels", Type: &types.Type{Kind: types.Map, Elem: text}},
			{Name: "matchExpressions",
				Type: &types.Type{Kind: types.List, Elem: &types.Type{Kind: types.Map, Elem: &types.Type{Kind: types.Dyn}}}},
		}}},
		{Name: "one", Type: item}, {Name: "zero", Type: whole, StripsZero: true},
		{Name: "none", Type: &types.Type{Kind: types.String, Nullable: true}},
	}}
}

func things() map[string]map[string]any {
	long := "a long text that is longer than all others, so that it costs something to look at it"
	page := strings.Repeat("what it costs to look at a text shows in a long one. ", 40)
	named := func(name string, port int64) any { return map[string]any{"name": name, "port": port} }
	return map[string]map[string]any{
		"full": {
			"s": "abc", "t": "é/" + long, "i": int64(3), "d": 1.5, "b": true, "any": "80%", "when": "1h",
			"items": []any{named("a", 1), named("b", 2), named("c", 3)}, "set": []any{"x", "y", long},
			"labels": map[string]any{"app": "web", "example.com/a": long}, "one": named("n", 80), "zero": int64(0), "none": nil,
			"sel": map[string]any{"matchLabels": map[string]any{"app": "web"}},
		},
		"many":  {"s": "abc", "i": int64(3), "items": numbered(20, 20), "set": []any{"n1", "n2", "n19", "x3", "x4", "x5", "x6", "x7"}},
		"twice": {"s": "abc", "i": int64(3), "items": numbered(20, 7), "set": []any{"n1", "n2", "n1", "x3", "x4", "x5", "x6", "x7"}},
		"holes": {"items": append(numbered(8, 8), map[string]any{"name": "n1"}, map[string]any{"port": int64(1)}),
			"set": []any{"a", "b", "c", "d", "e", int64(1), "f"}},
		"other": {"s": "", "t": "abc", "i": int64(-1), "d": int64(2), "b": false, "any": int64(80), "items": []any{},
			"set": []any{}, "labels": map[string]any{}, "sel": map[string]any{}},
		"long": {"s": page, "t": page, "i": int64(3), "any": page, "items": []any{named(page, 1), named("b", 2)},
			"set": []any{"x", page, "a" + page}, "labels": map[string]any{"app": page}},
		"empty": {},
		"wrong": {"s": int64(1), "i": "x", "b": "x", "any": true, "items": map[string]any{}, "set": []any{int64(1), "x"},
			"labels": []any{}, "one": "x", "when": "x", "sel": map[string]any{"matchLabels": map[string]any{"app": "-"}}},
		"odd": {"items": []any{named("a", 1), "x", nil, named("a", 2)}, "labels": map[string]any{"app": int64(1)},
			"set": []any{"x", "x"}, "sel": map[string]any{"matchLabels": map[string]any{"app": "db"}, "matchExpressions": []any{}}},
		"unlike": {"s": "web", "t": "web", "i": int64(math.MaxInt64), "any": "x", "one": map[string]any{"unknown": "x"},
			"labels": map[string]any{"app": "web"}, "sel": map[string]any{"matchLabels": map[string]any{"app": "db"}}},
	}
}

// numbered are items of which the first ones have names of their own.
func numbered(n, names int) []any {
	var items []any
	for i := range n {
		items = append(items, map[string]any{"name": fmt.Sprint("n", i%names), "port": int64(i)})
	}
	return items
}

// plannedRules are rules that have a plan. Each is true for at least one object of things.
func plannedRules() []string {
	return []string{
		"self.s == 'abc'", "self.s != self.t", "self.i >= 3 && self.i < 4", "self.i > 1 || self.b", "!(self.b)",
		"self.d <= 1.5", "self.s < self.t",
		"has(self.one) ? self.one.port == 80 : true", "has(self.zero) == false", "!has(self.none)",
		"self.?one.?name.orValue('') == 'n'", "self.?one.hasValue()",
		"self.labels['app'] == 'web'", "'app' in self.labels", "self.s in ['abc', 'd']", "'x' in self.set",
		"size(self.s) == 3 && self.t.size() > 3", "self.items.size() == 3 && self.labels.size() == 2",
		"self.s + 'd' == 'abcd' && self.i + 1 == 4 && self.i - 1 == 2",
		"self.items.all(a, self.items.exists_one(b, a.name == b.name))", "self.items.exists(a, a.port == 2)",
		"self.items.filter(a, a.port > 1).size() == 2",
		"self.items.map(a, a.name).size() == 3", "self.labels.all(k, k.size() > 2)", "self.labels.exists(k, self.labels[k] == 'web')",
		"self.items[1].name == 'b'", "self.s.matches('^[a-c]+$')", "self.t.contains('long') && self.s.startsWith('a') && " +
			"self.s.endsWith('c')",
		"type(self.any) == int || self.any == '80%'", "string(self.any).size() == 3",
		"type(self.any) != string || self.any.matches('^[0-9]+%$')",
		"!format.dns1123Label().validate(self.s).hasValue()", "format.dns1123Label().validate(self.t).value().size() > 0",
		"self == oldSelf", "self.items == oldSelf.items && self.set == oldSelf.set", "self.?one == oldSelf.?one",
		"quantity(string(self.i)).isInteger()", "self.set.map(x, x).distinct().size() == self.set.size()",
		"self.s.lowerAscii().trim() == self.s",
		"self.items.all(i, a, a.port == i + 1)", "self.labels.exists(k, v, v == 'web' && k == 'app')",
		"self.labels.all(k, v, v.size() > 0)", "self.items.existsOne(i, a, i == 1 && a.port == 2)",
		"self.items.transformList(i, a, i + a.port).size() == 3", "self.items.transformList(i, a, i > 0, a.name)[0] == 'b'",
		"self.i * 2 % 4 == 2 && self.i / 2 == 1", "-self.i < 0", "self.s.replace('a', 'b') == 'bbc'",
		"duration(string(self.i) + 's').getSeconds() == 3 && duration('1h').getMinutes() == 60 && duration('1s').getMilliseconds() " +
			"== 1000 && duration('1h').getHours() == 1",
		"cidr('10.0.0.0/8').containsIP('10.1.2.' + string(self.i)) && cidr('10.0.0.0/8').containsCIDR(cidr('10.1.0.0/16'))",
		"self.items.all(a, self.items.exists_one(b, b.port == a.port && a.name == b.name))",
		"self.items.all(a, self.items.all(b, a.name == b.name ? a.port == b.port : true))",
		"self.items.all(a, self.items.all(b, a.name != b.name || a.port == b.port))",
		"!self.items.exists(a, self.items.exists(b, a.name == b.name && a.port == b.port && a.port > 100))",
		"self.set.all(s, self.set.exists_one(t, s == t))", "self.items.exists(a, self.set.exists(s, a.name == s))",
		"self.items.all(a, !self.set.exists(s, s == a.name && a.port > 18))",
		"self.items.all(a, self.items.exists(b, b.name == 'p' + string(a.port) && true) || true)",
		"self.set.all(s, self.items.all(a, !(s == a.name && a.port == 3)))",
		"(self.items.map(a, a.port) + self.items.map(a, 1)).distinct().size() >= 3",
		"(self.items.map(a, true) + [false]).distinct().size() == 2",
		"self.one.port == 80 || !has(self.one)", "size(self.set) > 5 || size(self.labels) >= 0 || self.s == ''",
		"!(self.one.name == 'x' && self.i > 1) || !has(self.one)",
		"duration('1h') > duration('1m')", "duration('1h') >= duration(string(self.i) + 'm')",
		"quantity('1Gi').isGreaterThan(quantity(string(self.i)))", "isQuantity(string(self.i)) && quantity('8').asInteger() " +
			"% quantity(string(self.i)).asInteger() == 2",
		"self.s.matches('^[a-c]' + r'+' + '$')", "self.set.distinct().size() == 3", "[[1, 2], [3]].flatten().size() == 3",
		"[1, 1, 2].distinct().size() == 2", "self.set.join(self.t).size() > 0",
		"self.items.exists(a, self.items.all(b, a.name == b.name ? a.port == b.port : true))",
		"self.items.all(a, !self.set.exists(s, s == a.name && has(a.port)))",
		"self.items == oldSelf.items", "self.set == oldSelf.set", "self.?labels == oldSelf.?labels", "self.?sel == oldSelf.?sel",
		"self.items.map(a, [a.port, a.port]).flatten().sum() >= 0", "self.items.map(a, self.set.map(s, s + a.name)).size() == 3",
		"size(bytes(self.t)) > 10 && bytes(self.s).size() == 3", "self.items.map(a, self.items.map(b, b.name)).flatten().size() == 400",
		"self.items.all(a, (a.port > 1 ? [a.name, self.s] : self.set).size() > 1)",
		"self.items.all(a, (a.port > 1 ? self.?one.?name : optional.none()).orValue('n') == 'n')",
		"self.items.all(a, isQuantity(string(a.port)) && quantity(string(a.port)) == quantity(string(a.port)) && !isQuantity(a.name))",
	}
}

// TestPlansOfNilEntries: a nil in a Go map is no entry, unless null is a value.
func TestPlansOfNilEntries(t *testing.T) {
	env := newEnv(t, nil)
	text := "x"
	object, err := value.NewValueReflect(&map[string]*string{"a": nil, "b": &text})
	if err != nil {
		t.Fatal(err)
	}
	var known view.Types
	m := known.Of(object)
	for _, tt := range []struct {
		rule     string
		nullable bool
		want     Outcome
	}{
		{"size(self) == 1", false, Passed}, {"self.size() == 2", false, Failed}, {"self.all(k, k == 'b')", false, Passed},
		{"!('a' in self) && 'b' in self && self.b == 'x'", false, Passed}, {"self.exists_one(k, k != '')", false, Passed},
		{"size(self) == 2", true, Passed}, {"size(self) == 1", true, Failed}, {"'a' in self", true, Passed},
	} {
		typ := &types.Type{Kind: types.Map, Elem: &types.Type{Kind: types.String, Nullable: tt.nullable}}
		p, mistakes := env.Compile(Rule{Rule: tt.rule}, typ)
		if len(mistakes) > 0 {
			t.Fatalf("%s: %v", tt.rule, mistakes)
		}
		comparePlan(t, p, "nil entries", m, m, false)
		e := NewEvaluator()
		e.Reset(1_000_000)
		if got, details := e.Run(context.Background(), p, m, view.View{}, false); got != tt.want {
			t.Errorf("%s (nullable %t): got %d %q", tt.rule, tt.nullable, got, details)
		}
	}
}

// comparePlan checks that if the plan of a rule returns true, so does cel-go, at a cost that is not
// underestimated. It reports whether the plan returned true.
func comparePlan(t *testing.T, p *Program, name string, val, old view.View, hasOld bool) bool {
	t.Helper()
	const budget = 1_000_000
	quick, exact := NewEvaluator(), NewEvaluator()
	quick.Reset(budget)
	exact.Reset(budget)
	exact.Exact()
	outcome, details := quick.Run(context.Background(), p, val, old, hasOld)
	want, wantDetails := exact.Run(context.Background(), p, val, old, hasOld)
	if outcome != want || !slices.Equal(details, wantDetails) {
		t.Errorf("%s on %s: got %d %q, cel-go says %d %q", p.rule.Rule, name, outcome, details, want, wantDetails)
	}
	if cost := budget - exact.budget; quick.planned > 0 && quick.planned < cost {
		t.Errorf("%s on %s: the plan says it costs at most %d, cel-go counts %d", p.rule.Rule, name, quick.planned, cost)
	}
	return quick.planned > 0
}

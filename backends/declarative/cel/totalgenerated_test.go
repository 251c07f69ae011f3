package cel

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// skeptic writes random rules on values of a shape: much that can break, and much that is
// asked for before.
type skeptic struct {
	*rand.Rand
	vars []variable
}

// variable is something that a rule can name.
type variable struct {
	text  string
	shape *Shape
}

func (a *skeptic) pick(from ...string) string { return from[a.IntN(len(from))] }

// some gives something that can be named, of a kind if there is one after a few tries.
func (a *skeptic) some(kinds ...Kind) (variable, bool) {
	for range 30 {
		v := a.vars[a.IntN(len(a.vars))]
		for range a.IntN(4) {
			v = a.into(v)
		}
		if slices.Contains(kinds, v.shape.Kind) {
			return v, true
		}
	}
	return variable{}, false
}

func (a *skeptic) into(v variable) variable {
	switch v.shape.Kind {
	case Object:
		f := v.shape.Fields[a.IntN(len(v.shape.Fields))]
		return variable{v.text + "." + f.Name, f.Shape}
	case List:
		return variable{fmt.Sprintf("%s[%d]", v.text, a.IntN(3)), v.shape.Elem}
	case Map:
		key := a.pick("'a'", "'b'", "self.name")
		for _, known := range a.vars {
			if known.shape.Kind == String && a.IntN(2) == 0 {
				key = known.text
			}
		}
		return variable{v.text + "[" + key + "]", v.shape.Elem}
	}
	return v
}

func (a *skeptic) text() string {
	v, ok := a.some(String)
	switch n := a.IntN(8); {
	case !ok || n == 0:
		return a.pick("'a'", "''", "'b'")
	case n == 1:
		return "(" + a.text() + " + " + a.text() + ")"
	case n == 2:
		return a.text() + a.pick(".lowerAscii()", ".trim()", ".upperAscii()")
	}
	return v.text
}

func (a *skeptic) number() string {
	v, ok := a.some(Int)
	switch n := a.IntN(8); {
	case !ok || n == 0:
		return a.pick("0", "1", "2")
	case n == 1:
		return "(" + a.number() + a.pick(" + ", " - ", " * ", " / ") + a.number() + ")"
	case n == 2:
		return fmt.Sprintf("(%s ? %s : %s)", a.condition(1), a.number(), a.number())
	case n < 6:
		return a.size()
	}
	return v.text
}

func (a *skeptic) size() string {
	if v, ok := a.some(List, Map, String, List); ok {
		return "size(" + v.text + ")"
	}
	return "size('ab')"
}

// condition writes a test.
func (a *skeptic) condition(depth int) string {
	if depth <= 0 {
		return a.simple()
	}
	inner := func() string { return a.condition(depth - 1) }
	switch a.IntN(9) {
	case 0, 1:
		return fmt.Sprintf("(%s && %s)", inner(), inner())
	case 2, 3:
		return fmt.Sprintf("(%s || %s)", inner(), inner())
	case 4:
		return fmt.Sprintf("(%s ? %s : %s)", inner(), inner(), inner())
	case 5:
		return "!" + inner()
	case 6, 7:
		return a.loop(depth)
	}
	return a.simple()
}

func (a *skeptic) loop(depth int) string {
	over, ok := a.some(List, Map, List)
	if !ok {
		return a.simple()
	}
	item := variable{a.pick("x", "y", "z"), &Shape{Kind: String}}
	if over.shape.Kind == List {
		item.shape = over.shape.Elem
	}
	outer := a.vars
	defer func() { a.vars = outer }()
	a.vars = append(slices.DeleteFunc(slices.Clone(outer), func(v variable) bool { return v.text == item.text }), item, item, item)
	in, filter := a.condition(depth-1), a.condition(1)
	a.vars = outer
	switch a.IntN(6) {
	case 0:
		return fmt.Sprintf("%s.filter(%s, %s).size() %s 1", over.text, item.text, in, a.pick("<", "==", ">"))
	case 1:
		return fmt.Sprintf("%s.filter(%[2]s, %s).all(%[2]s, %s)", over.text, item.text, filter, in)
	case 2:
		return fmt.Sprintf("%s.map(%[2]s, %s, %s).exists(%[2]s, %[2]s)", over.text, item.text, filter, in)
	}
	return fmt.Sprintf("%s.%s(%s, %s)", over.text, a.pick("all", "exists", "exists_one"), item.text, in)
}

func (a *skeptic) simple() string {
	switch a.IntN(12) {
	case 0, 1, 2, 3:
		if v, ok := a.some(String, Int, Object, List, Map, Bool, Dyn); ok && strings.Contains(v.text, ".") && !strings.HasSuffix(v.text, "]") {
			return "has(" + v.text + ")"
		}
	case 4:
		if m, ok := a.some(Map); ok {
			return a.text() + " in " + m.text
		}
	case 5:
		return a.text() + a.pick(" == ", " != ", " < ") + a.text()
	case 6:
		return a.number() + a.pick(" == ", " != ", " < ", " <= ", " > ", " >= ") + a.number()
	case 7, 8:
		return a.size() + a.pick(" == ", " != ", " < ", " <= ", " > ", " >= ") + a.pick("0", "1", "2")
	case 9:
		if v, ok := a.some(Dyn, Bool, Double, String); ok {
			return v.text + a.pick(" == ", " != ") + "self.any"
		}
	case 10:
		return a.pick("isURL(", "isQuantity(", "isIP(", "isCIDR(") + a.text() + ") || " + a.text() + a.pick(".startsWith('a')", ".contains('b')", ".matches('^a')", ".endsWith('ab')") + " || " + a.text() + " in ['a', self.name]"
	}
	return a.pick("self.on", "true", "false")
}

// fitting makes a value that a shape fits, with all or some of what is not required.
func fitting(src *rand.Rand, s *Shape, full bool) any {
	if s.Nullable && src.IntN(3) == 0 {
		return nil
	}
	switch s.Kind {
	case Object:
		m := map[string]any{}
		for _, f := range s.Fields {
			if f.Required || src.IntN(2) == 0 || full && f.Defaulted {
				m[f.Name] = fitting(src, f.Shape, full)
			}
		}
		return m
	case List:
		l := []any{}
		for range src.IntN(int(min(s.most(), 12)) + 1) {
			l = append(l, fitting(src, s.Elem, full))
		}
		return l
	case Map:
		m := map[string]any{}
		for range src.IntN(int(s.most()) + 1) {
			m[[]string{"a", "b", "", "é"}[src.IntN(4)]] = fitting(src, s.Elem, full)
		}
		return m
	case String, Dyn:
		if s.Kind == Dyn && src.IntN(2) == 0 {
			return int64(src.IntN(100))
		}
		return strings.Repeat([]string{"a", "b", "é", "ab"}[src.IntN(4)], src.IntN(int(min(s.most(), 40))/2+1))
	case Bool:
		return src.IntN(2) == 0
	case Int:
		return []int64{0, 1, -1, 2, 1<<63 - 1, -1 << 63}[src.IntN(6)]
	case Double:
		return src.Float64()
	}
	return "1h"
}

func (s *Shape) most() int64 {
	if s.Bound == nil {
		return 40
	}
	return *s.Bound
}

// meets says that what a rule needs is set.
func meets(x any, way []string) bool {
	if len(way) == 0 {
		return x != nil
	}
	switch x := x.(type) {
	case []any:
		return !slices.ContainsFunc(x, func(item any) bool { return !meets(item, way[1:]) })
	case map[string]any:
		if v, ok := x[way[0]]; ok && v != nil {
			return meets(v, way[1:])
		}
	}
	return len(way) > 1
}

// TestGeneratedTotals: what is said not to break does not, for no more than it is said to
// cost, and what is not needed may be missing.
func TestGeneratedTotals(t *testing.T) {
	env, err := NewEnv(Config{PerCall: 10_000_000, Formats: func(string, string) ([]string, bool) { return nil, false }})
	if err != nil {
		t.Fatal(err)
	}
	s, totals, ran, needy := sure(), 0, 0, 0
	const rules, objects = 2500, 16
	for i := range uint64(rules) {
		a := &skeptic{Rand: rand.New(rand.NewPCG(i, 7)), vars: []variable{{"self", s}}}
		text := a.condition(3)
		p, mistakes := env.Compile(Rule{Rule: text}, s)
		if len(mistakes) > 0 {
			continue // types that do not go together
		}
		total, ok := p.Total()
		if !ok {
			continue
		}
		if totals++; len(total.Needs) > 0 {
			needy++
		}
		for n := range objects {
			x := fitting(a.Rand, s, n%3 == 0)
			if slices.ContainsFunc(total.Needs, func(way []string) bool { return !meets(x, way) }) {
				continue
			}
			ran++
			e := NewEvaluator()
			e.Reset(max(int64(total.Cost), 1)) // without a budget nothing runs
			e.Exact()
			outcome, detail := e.Run(t.Context(), p, view.OfJSON(x), view.View{}, false)
			if outcome != Passed && outcome != Failed {
				t.Fatalf("%s\nis said to be total at a cost of %d, and needs %v: %s\n%v", text, total.Cost, total.Needs, detail, x)
			}
		}
	}
	t.Logf("%d rules are total, %d of them need something; %d evaluations", totals, needy, ran)
	if totals < rules/20 || needy < 20 || ran < totals {
		t.Error("too few for the test to show anything")
	}
}

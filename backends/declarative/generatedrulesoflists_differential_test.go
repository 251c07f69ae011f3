package declarative_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/diffrun/diffrun/backends/declarative"
	upstream "github.com/diffrun/diffrun/backends/reference"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// TestGeneratedRulesOfLists is TestRulesOfLists with random rules and lists: with nulls, with items of the
// wrong type in updates that do not change them, with lists of all list types, and with an optional oldSelf.
func TestGeneratedRulesOfLists(t *testing.T) {
	const rules, objects = 3, 8
	var valid, invalid, unfit int
	rounds := uint64(*pairs / (5 * objects))
	for round := range rounds {
		g := newListRules(rand.New(rand.NewPCG(*seed, round)))
		c := g.listCase
		for range rules {
			c.rules = append(c.rules, g.rule())
		}
		written := c.differential()
		if g.optional {
			written.schema = strings.ReplaceAll(written.schema, ", message:", ", optionalOldSelf: true, message:")
		}
		if refused := refusedRules(t, written); refused[0] || refused[1] {
			if refused[0] != refused[1] { // some sums of lists do not type-check
				t.Fatalf("-seed %d, round %d: the reference refuses the rules: %t, the declarative backend: %t\n%s", *seed, round,
					refused[0], refused[1], written.schema)
			}
			unfit++
			continue
		}
		h := written.harnessOf(t)
		for range objects {
			// Mistakes keep rules from running, unless an update does not change them.
			switch c.object, c.old = g.lists(g.items), ""; g.IntN(4) {
			case 0, 1:
				c.object = g.lists(append(slices.Clip(g.items), "null", "7", "x", "[y]", "{z: 1}"))
				c.old = c.object
			case 2:
				c.old = g.lists(g.items)
			}
			difference, ok := compared(t.Context(), h, c.differential().pair(t))
			if difference != "" {
				t.Fatalf("-seed %d, round %d: %s\n%s\nobject %s, old %s", *seed, round, difference, written.schema, c.object, c.old)
			}
			if ok {
				valid++
			} else {
				invalid++
			}
		}
	}
	t.Logf("%d valid, %d not; both refuse the rules of %d of %d rounds", valid, invalid, unfit, rounds)
	if valid == 0 || invalid == 0 || uint64(unfit) > rounds/10 {
		t.Error("too many pairs end alike: they show nothing")
	}
}

// refusedRules reports whether the reference, and whether the declarative backend, refuses to compile a
// schema.
func refusedRules(t *testing.T, c differentialCase) (refused [2]bool) {
	t.Helper()
	props := served.Props(t, c.schema)
	_, err := upstream.CompileProps(props, upstream.Options{Root: c.root})
	_, own := declarative.Compile(served.Converted(t, props), declarative.Options{
		Root:              c.root,
		Semantics:         declarative.CustomResources,
		WithoutEstimation: true,
	})
	return [2]bool{err != nil, own != nil}
}

// listRules makes rules on lists.
type listRules struct {
	*rand.Rand
	listCase
	items    []string // values of the lists
	selfs    []string // expressions of lists
	oldSelfs []string // the same for the old object
	optional bool     // oldSelf is
}

func newListRules(src *rand.Rand) *listRules {
	g := &listRules{Rand: src, selfs: []string{"self.a", "self.b"}, oldSelfs: []string{"oldSelf.a", "oldSelf.b"},
		optional: src.IntN(3) == 0}
	switch src.IntN(4) {
	case 0:
		g.onList, g.list, g.items = true, setOfStrings, []string{"a", "b", "c"}
		g.selfs, g.oldSelfs = []string{"self", "self", "['b']", "['c', 'a']"}, []string{"oldSelf"}
	case 1:
		g.twoSchemas()
	default:
		g.oneSchema()
	}
	return g
}

func (g *listRules) pick(from ...string) string { return from[g.IntN(len(from))] }

// oneSchema makes all lists share one schema.
func (g *listRules) oneSchema() {
	kinds := []struct {
		schema string
		items  []string
	}{
		{`type: integer`, []string{"1", "2", "0"}},
		{`type: number`, []string{"1", "1.5", "-0.0"}},
		{`type: boolean`, []string{"true", "false"}},
		{`type: string`, []string{"a", `""`}},
		{`x-kubernetes-int-or-string: true`, []string{"1", "a"}},
		{`type: string, format: date-time`, []string{`"2024-01-02T03:04:05Z"`, `"2024-01-02T04:04:05+01:00"`}},
		{`type: string, format: date`, []string{`"2024-01-02"`}},
		{`type: string, format: duration`, []string{"1h", "60m"}},
		{`type: string, format: byte`, []string{"YQ==", `""`}},
		{`x-kubernetes-map-type: atomic, type: object, properties: {id: {type: string}, v: {type: integer, nullable: true}}`,
			[]string{"{id: a}", "{id: a, v: 1}", "{id: b, v: null}", "{}", "{id: [x]}", "{x: 1}", "{id: null}"}},
		{`x-kubernetes-map-type: atomic, type: object, additionalProperties: {type: string}`, []string{"{id: a}", "{}"}},
		{`x-kubernetes-list-type: atomic, type: array, items: {type: string}`, []string{"[a]", "[]", "[a, 1]"}},
		{`x-kubernetes-list-type: set, type: array, items: {type: string}`, []string{"[a]", "[b, a]", "[a, b]"}},
	}
	kind := kinds[g.IntN(len(kinds))]
	nullable, listType := "", g.pick("atomic", "set")
	g.items = append(g.items, kind.items...)
	if g.IntN(3) == 0 {
		nullable, g.items = ", nullable: true", append(g.items, "null")
	}
	if strings.Contains(kind.schema, "properties: {id") {
		listType = g.pick(listType, "map, x-kubernetes-list-map-keys: [id]", "map, x-kubernetes-list-map-keys: [id, v]")
	}
	g.list = fmt.Sprintf("type: array, x-kubernetes-list-type: %s, items: {%s%s}", listType, kind.schema, nullable)
}

// twoSchemas gives the lists two schemas that CEL can compare. Added items are read with the schema of the
// left list.
func (g *listRules) twoSchemas() {
	all := [][3]string{
		{"type: integer", "x-kubernetes-int-or-string: true", "1"}, {"type: string", "x-kubernetes-int-or-string: true", "x"},
		{"type: number", "x-kubernetes-int-or-string: true", "1"},
		{"type: integer, nullable: true", "type: integer", "2"},
		{"type: integer, nullable: true", "x-kubernetes-int-or-string: true, nullable: true", "null"},
		{"type: array, items: {type: string}", "type: array, x-kubernetes-list-type: set, items: {type: string}", "[x]"},
		{"type: string, format: date", "type: string, format: date-time", `"2024-01-02"`},
		{"type: object, additionalProperties: {type: string}", "type: object, additionalProperties: {type: string, nullable: true}", "{}"},
	}
	two := all[g.IntN(len(all))]
	g.list, g.other = "type: array, items: {"+two[0]+"}", "type: array, items: {"+two[1]+"}"
	g.items = []string{two[2], two[2], g.pick("1", "x", "{x: null}", `"2024-01-02T03:04:05Z"`)}
}

// lists is an object on which rules are run.
func (g *listRules) lists(items []string) string {
	list := func() string {
		var of []string
		for range g.IntN(4) {
			of = append(of, g.pick(items...))
		}
		return "[" + strings.Join(of, ", ") + "]"
	}
	return fmt.Sprintf("{a: %s, b: %s}", list(), list())
}

func (g *listRules) rule() string {
	a, b := g.term(2), g.term(2)
	if g.optional && !strings.Contains(a+b, "oldSelf") {
		b = g.oldSelfs[0] + ".orValue(" + g.selfs[0] + ")"
	}
	return fmt.Sprintf(g.pick("%[1]s == %[2]s", "%[1]s != %[2]s", "%[1]s.all(x, x in %[2]s)", "%[1]s.exists(x, x == %[2]s[0])",
		"%[1]s.exists_one(x, x in %[2]s)",
		"%[1]s in [%[2]s]", "%[1]s.size() + size(%[2]s) < 5", "%[1]s.all(x, %[2]s.exists(y, x == y))",
		"%[1]s.all(i, x, x == %[2]s[i])", "sets.contains(%[1]s, %[2]s)",
		"sets.equivalent(%[1]s, %[2]s)", "sets.intersects(%[1]s, %[2]s)", "%[1]s.indexOf(%[2]s[0]) < 1",
		"%[1]s.lastIndexOf(%[2]s[0]) > 0", "[%[1]s, %[2]s].flatten().size() < 4",
		"%[1]s.exists(x, type(x) == null_type) || %[2]s.size() > 1", "[%[1]s].exists(s, s + %[2]s == s)",
		"[%[1]s].all(s, s + %[2]s == s + s || s == %[2]s)",
		"{'k': %[1]s} == {'k': %[2]s}", "%[1]s[0] == %[2]s[0]", "%[1]s.distinct().size() <= %[2]s.size()",
		"%[1]s.filter(x, !(x in %[2]s)) == []",
		"%[1]s.map(x, [x] + %[2]s).all(l, l.size() < 4)"), a, b)
}

// term is an expression that evaluates to a list.
func (g *listRules) term(depth int) string {
	if depth > 0 {
		a, b := g.term(depth-1), g.term(depth-1)
		switch g.IntN(12) {
		case 0, 1, 2, 3:
			return "(" + a + " + " + b + ")"
		case 4:
			return "[" + a + "[0]]"
		case 5:
			return a + ".filter(x, x in " + b + ")"
		case 6:
			return a + ".map(x, x)"
		case 7:
			return "(size(" + a + ") > 1 ? " + a + " : " + b + ")"
		}
	}
	old := g.pick(g.oldSelfs...)
	if g.optional {
		old += g.pick(".orValue("+g.pick(g.selfs...)+")", ".value()")
	}
	return g.pick(append(g.selfs, old)...)
}

package declarative_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestGeneratedAddedLists is TestAddedLists on rules and lists that are made at random:
// with nulls, with items of the wrong type on updates that do not change them, with lists
// of all types, and with an oldSelf that is optional.
func TestGeneratedAddedLists(t *testing.T) {
	const rules, objects = 3, 8
	var valid, invalid int
	for round := range uint64(*pairs / (20 * objects)) {
		src := rand.New(rand.NewPCG(*seed, round))
		g := listRules{src}
		list, items := g.schema()
		c := addedCase{list: list}
		optional := src.IntN(3) == 0
		for range rules {
			c.rules = append(c.rules, g.rule(optional))
		}
		written := c.differential()
		if optional {
			written.schema = strings.ReplaceAll(written.schema, ", message:", ", optionalOldSelf: true, message:")
		}
		h := written.harnessOf(t)
		for range objects {
			// What is wrong keeps rules from running, unless an update does not change it.
			switch c.object, c.old = g.lists(items), ""; src.IntN(4) {
			case 0, 1:
				c.object = g.lists(append(slices.Clip(items), "null", "7", "x", "[y]", "{z: 1}"))
				c.old = c.object
			case 2:
				c.old = g.lists(items)
			}
			difference, ok := compared(t.Context(), h, c.differential().pair(t))
			if difference != "" {
				t.Fatalf("-seed %d, round %d: %s\nlists: %s\nrules, oldSelf optional %t:\n%s\nobject %s, old %s",
					*seed, round, difference, list, optional, strings.Join(c.rules, "\n"), c.object, c.old)
			}
			if ok {
				valid++
			} else {
				invalid++
			}
		}
	}
	t.Logf("%d valid, %d not", valid, invalid)
	if valid == 0 || invalid == 0 {
		t.Error("all pairs end alike: they show nothing")
	}
}

// listRules makes rules on a map of lists.
type listRules struct{ *rand.Rand }

func (g listRules) pick(from ...string) string { return from[g.IntN(len(from))] }

// schema is one of a list, with values for its items.
func (g listRules) schema() (list string, items []string) {
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
		{`x-kubernetes-map-type: atomic, type: object, properties: {id: {type: string}, v: {type: integer, nullable: true}}`, []string{"{id: a}", "{id: a, v: 1}", "{id: b, v: null}", "{}", "{id: [x]}", "{x: 1}", "{id: null}"}},
		{`x-kubernetes-map-type: atomic, type: object, additionalProperties: {type: string}`, []string{"{id: a}", "{}"}},
		{`x-kubernetes-list-type: atomic, type: array, items: {type: string}`, []string{"[a]", "[]", "[a, 1]"}},
		{`x-kubernetes-list-type: set, type: array, items: {type: string}`, []string{"[a]", "[b, a]", "[a, b]"}},
	}
	kind := kinds[g.IntN(len(kinds))]
	nullable, listType := "", g.pick("atomic", "set")
	items = append(items, kind.items...)
	if g.IntN(3) == 0 {
		nullable, items = ", nullable: true", append(items, "null")
	}
	if strings.Contains(kind.schema, "properties: {id") {
		listType = g.pick(listType, "map, x-kubernetes-list-map-keys: [id]", "map, x-kubernetes-list-map-keys: [id, v]")
	}
	return fmt.Sprintf("type: array, x-kubernetes-list-type: %s, items: {%s%s}", listType, kind.schema, nullable), items
}

// lists is an object that rules are run on.
func (g listRules) lists(items []string) string {
	list := func() string {
		var of []string
		for range g.IntN(4) {
			of = append(of, g.pick(items...))
		}
		return "[" + strings.Join(of, ", ") + "]"
	}
	return fmt.Sprintf("{a: %s, b: %s}", list(), list())
}

func (g listRules) rule(optional bool) string {
	a, b := g.term(2, optional), g.term(2, optional)
	if optional && !strings.Contains(a+b, "oldSelf") {
		b = "oldSelf.b.orValue(self.a)"
	}
	return fmt.Sprintf(g.pick("%[1]s == %[2]s", "%[1]s != %[2]s", "%[1]s.all(x, x in %[2]s)", "%[1]s.exists(x, x == %[2]s[0])", "%[1]s.exists_one(x, x in %[2]s)",
		"%[1]s in [%[2]s]", "%[1]s.size() + size(%[2]s) < 5", "%[1]s.all(x, %[2]s.exists(y, x == y))", "%[1]s.all(i, x, x == %[2]s[i])", "sets.contains(%[1]s, %[2]s)",
		"sets.equivalent(%[1]s, %[2]s)", "sets.intersects(%[1]s, %[2]s)", "%[1]s.indexOf(%[2]s[0]) < 1", "%[1]s.lastIndexOf(%[2]s[0]) > 0", "[%[1]s, %[2]s].flatten().size() < 4",
		"%[1]s.exists(x, type(x) == null_type) || %[2]s.size() > 1", "[%[1]s].exists(s, s + %[2]s == s)", "[%[1]s].all(s, s + %[2]s == s + s || s == %[2]s)",
		"{'k': %[1]s} == {'k': %[2]s}", "%[1]s[0] == %[2]s[0]", "%[1]s.distinct().size() <= %[2]s.size()", "%[1]s.filter(x, !(x in %[2]s)) == []",
		"self == {'a': %[1]s, 'b': %[2]s}", "%[1]s.map(x, [x] + %[2]s).all(l, l.size() < 4)"), a, b)
}

// term is an expression that gives a list.
func (g listRules) term(depth int, optional bool) string {
	if depth > 0 {
		a, b := g.term(depth-1, optional), g.term(depth-1, optional)
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
	old := g.pick("oldSelf.a", "oldSelf.b")
	if optional {
		old += g.pick(".orValue(self.b)", ".value()")
	}
	return g.pick("self.a", "self.b", old)
}

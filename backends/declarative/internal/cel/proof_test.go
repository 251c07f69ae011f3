package cel

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/diffrun/diffrun/backends/declarative/internal/cel/types"
	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// proofPieces are prefixes of rules of one schema, about a thing and an item x of it. Some cause errors for
// some objects, and some have no plan.
func proofPieces() (ofThing, ofItem []string) {
	ofThing = []string{
		"has(self.one)", "has(self.items)", "has(self.s)", "self.s == 'abc'", "self.i > 1", "self.one.port > 1",
		"self.i / self.i == 1", "self.labels['app'] == 'web'",
		"self.?one.?name.orValue('') != 'x'", "self.items.size() > 100", "self.t.lowerAscii() == self.t", "self.s.trim() == 'abc'",
		"self.items.map(a, a.port).sum() == 6", "self.items[0].port == 1", "self.s in ['abc', 'd']", "self.t in ['abc', 'd']",
		"lists.range(3).size() == self.i", "self.b",
	}
	return ofThing, []string{
		"has(x.name)",
		"x.port > 0",
		"x.name == 'a'",
		"x.port in [1, 2, 3, self.i]",
		"x.port / x.port == 1",
		"self.s == 'abc'",
		"'name-1' != x.name",
	}
}

// typedProofPieces are pieces of rules on Go objects. Most test whether a field is set, for all kinds of
// fields, with and without omitempty.
func typedProofPieces() (ofWhole, ofPart []string) {
	for _, field := range []string{
		"name",
		"count",
		"on",
		"port",
		"limits",
		"size",
		"labels",
		"pointers",
		"maps",
		"parts",
		"one",
		"names",
		"zero",
		"elsewhere",
	} {
		ofWhole = append(ofWhole, "has(self."+field+")")
	}
	ofPart = []string{"has(x.name)", "has(x.proto)", "has(x.port)", "has(x.at)", "has(x.deep)", "x.name == 'a'",
		"x.port > 80", "has(self.on)", "x.proto == 'TCP'",
		"[has(x.proto), has(x.at)].exists(set, set)", "x.?deep.?name.orValue('') == self.one.name", "self.one.deep.name != x.name",
		"self.parts.exists(y, y.name > x.name)"}
	return append(ofWhole, "self.name == 'abc'", "self.zero > 2", "self.one.port == 80", "self.port == 80",
		"'cpu' in self.limits", "self.count == 7",
		"[has(self.count), has(self.zero), has(self.labels)].filter(set, set).size() < 2",
		"[has(self.size), has(self.elsewhere), has(self.names)].exists(set, set)",
		"self.one.deep.name == 'two'", "self.?one.?deep.?name.orValue('') == 'two'", "self.?labels.orValue({}).size() > 1",
		"self.?names.orValue([]).size() > 1"), ofPart
}

// alike combines pieces, which other rules share, into a rule with loops over the items of a field.
func (a *ruleGenerator) alike(pieces, ofItem []string, field string, depth int) string {
	if depth == 0 || a.r.IntN(5) == 0 {
		return pieces[a.r.IntN(len(pieces))]
	}
	part := func() string { return "(" + a.alike(pieces, ofItem, field, depth-1) + ")" }
	switch a.r.IntN(7) {
	case 0:
		return "!" + part()
	case 1:
		return part() + " && " + part()
	case 2:
		if ofItem != nil {
			return "self." + field + ".all(x, " + a.alike(ofItem, nil, field, depth) + ")"
		}
	case 3:
		if ofItem != nil {
			return "!self." + field + ".exists(x, " + a.alike(ofItem, nil, field, depth) + ")"
		}
	case 4:
		if ofItem != nil && field == "items" {
			return "self.set.all(i, x, " + a.alike([]string{"x != ''", "i < 4", "self.i > 1", "x in self.set"}, nil, field, depth) + ")"
		}
	}
	return part() + " || " + part()
}

// TestProofs: rules are proven together if the plan of each proves it. cel-go then finds each of them true,
// at a cost that is not underestimated.
func TestProofs(t *testing.T) {
	ofThing, ofItem := proofPieces()
	ofOld := []string{
		"",
		"",
		"oldSelf.hasValue() || ",
		"!oldSelf.hasValue() || oldSelf.value().i == 3 && ",
		"oldSelf.?s.orValue('') != 'abc' || ",
	}
	testProofs(t, thing(), ofOld, true, func(a *ruleGenerator, depth int) string { return a.alike(ofThing, ofItem, "items", depth) },
		func(a *ruleGenerator) []update { return thingUpdates(a.r, 2) })
}

// TestProofsOfTransitionRules is TestProofs for rules that need an old value.
func TestProofsOfTransitionRules(t *testing.T) {
	ofThing, ofItem := proofPieces()
	ofOld := []string{
		"oldSelf.s == 'abc' || ",
		"!has(oldSelf.one) || ",
		"self.i >= oldSelf.i && ",
		"oldSelf.items.all(x, self.items.exists(y, x.name == y.name)) || ",
	}
	testProofs(t, thing(), ofOld, false, func(a *ruleGenerator, depth int) string { return a.alike(ofThing, ofItem, "items", depth) },
		func(a *ruleGenerator) []update { return thingUpdates(a.r, 2) })
}

// TestProofsTyped is TestProofs for Go objects.
func TestProofsTyped(t *testing.T) {
	ofWhole, ofPart := typedProofPieces()
	updates := typedUpdates(t)
	testProofs(t, wholeType(), []string{""}, true, func(a *ruleGenerator, depth int) string {
		return a.alike(ofWhole, ofPart, "parts", depth)
	},
		func(a *ruleGenerator) []update {
			return []update{updates[a.r.IntN(len(updates))], updates[a.r.IntN(len(updates))]}
		})
}

func testProofs(t *testing.T, s *types.Type, ofOld []string, optional bool, alike func(a *ruleGenerator, depth int) string,
	updates func(a *ruleGenerator) []update) {
	const budget = 1_000_000
	var proven, tried int
	for i := range *rules {
		a := &ruleGenerator{r: rand.New(rand.NewPCG(*rulesOf, i))}
		env := newEnv(t, nil)
		var group []*Program
		var texts []string
		begin := ""
		if a.r.IntN(2) == 0 {
			begin = "(" + alike(a, 2) + ") || "
		}
		for range 2 + a.r.IntN(10) {
			text := ofOld[a.r.IntN(len(ofOld))] + begin + "(" + alike(a, 1+a.r.IntN(3)) + ")"
			p, mistakes := env.Compile(Rule{Rule: text, OptionalOldSelf: optional && strings.Contains(text, "oldSelf")}, s)
			if len(mistakes) > 0 {
				t.Fatalf("%s: %v", text, mistakes)
			}
			if p.ProvenWith(p) && (group == nil || p.ProvenWith(group[0])) {
				group, texts = append(group, p), append(texts, text)
			}
		}
		env.Release()
		if len(group) == 0 {
			continue
		}
		proof := NewProof(group)
		for _, u := range updates(a) {
			for _, hasOld := range []bool{true, false} {
				if !hasOld && !optional {
					continue
				}
				all := NewEvaluator()
				all.Reset(budget)
				got := all.Proves(proof, &u.val, oldOf(u, hasOld))
				want, cost := provedOneByOne(t, group, u, hasOld, got, budget)
				if want && !got {
					t.Errorf("seed %d, %d, on %s (old: %t): proven one by one, not at once:\n%s", *rulesOf, i, u.name, hasOld,
						strings.Join(texts, "\n"))
				}
				if got && all.planned < cost {
					t.Errorf("seed %d, %d, on %s: at once they cost at most %d, cel-go counts %d:\n%s", *rulesOf, i, u.name,
						all.planned, cost, strings.Join(texts, "\n"))
				}
				if tried++; got {
					proven++
				}
			}
		}
	}
	t.Logf("proven %d times of %d", proven, tried)
	if proven == 0 || proven == tried {
		t.Error("the rules are such that the test shows nothing")
	}
}

func oldOf(u update, hasOld bool) *view.View {
	if !hasOld {
		return nil
	}
	return &u.old
}

// provedOneByOne reports whether the plans of all rules prove them, and the total cost counted by cel-go. If
// a plan returns true, cel-go must as well.
func provedOneByOne(t *testing.T, rules []*Program, u update, hasOld, areTrue bool, budget int64) (proved bool, cost int64) {
	t.Helper()
	proved = true
	for _, p := range rules {
		quick, exact := NewEvaluator(), NewEvaluator()
		proved = quick.plans.Proves(p.plan, &u.val, oldOf(u, hasOld)) && proved
		exact.Reset(budget)
		exact.Exact()
		outcome, details := exact.Run(context.Background(), p, u.val, u.old, hasOld)
		if areTrue && outcome != Passed {
			t.Errorf("%s on %s (old: %t) is proven, cel-go says %d %q", p.rule.Rule, u.name, hasOld, outcome, details)
		}
		cost += budget - exact.budget
	}
	return proved, cost
}

package declarative_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
)

// TestUnionsOfSets holds against the reference what a union of sets changes for what a
// rule does next, and for the rules after it.
func TestUnionsOfSets(t *testing.T) {
	for _, tt := range []struct {
		why     string
		at      string // the property that has the rules: the set, or what it is in
		rules   []string
		a, old  string
		invalid bool // in the reference
	}{
		{"a union is no equality", "set", []string{"self == ['b']"}, "[a]", "", true},
		{"the set equals what was added once", "set", []string{"size(self + ['b']) == 2", "self == ['b']", "size(self) == 1 && !('b' in self)"}, "[a]", "", false},
		{"what was added is not added again", "set", []string{"self + ['b'] == self + ['b']"}, "[a]", "", true},
		{"nor by the next rule", "set", []string{"size(self + ['b']) == 2", "size(self + ['b']) == 1"}, "[a]", "", false},
		{"rules that are true at first sight look at the set too", "set", []string{"size(self + ['b']) > 0", "self != ['b']"}, "[a]", "", true},
		{"what is on the right is not changed", "set", []string{"size(['b'] + self) == 2", "self == ['b']"}, "[a]", "", true},
		{"what is not evaluated changes nothing", "set", []string{"size(self) == 1 || size(self + ['b']) == 0", "self == ['b']"}, "[a]", "", true},
		{"oldSelf lasts as long", "set", []string{"size(oldSelf + ['b']) == 2", "oldSelf == ['b']"}, "[a]", "[c]", false},
		{"and is another value than self", "set", []string{"size(oldSelf + ['b']) == 2", "self == ['b']"}, "[a]", "[c]", true},
		{"rules that an update skips change nothing", "set", []string{"size(self + oldSelf) == 2", "self == ['b']"}, "[a]", "", true},
		{"nor does the rule of another schema", "whole", []string{"size(self.set + ['b']) == 2", "self.set == ['b']"}, "[a]", "", true},
		{"a field is read anew each time", "whole", []string{"self.set + ['b'] == self.set + ['b']"}, "[a]", "", false},
		{"a variable lasts as long as the loop", "whole", []string{"self.sets.all(s, s + ['b'] != s + ['b'])"}, "[a]", "", false},
		{"also where something else decides", "whole", []string{"self.sets.all(s, (size(s + ['b']) > 0 || size(s) > 0) && s != ['b'])"}, "[a]", "", true},
		{"so that it is not added again there", "whole", []string{"self.sets.all(s, s + ['b'] == s + ['b'])"}, "[a]", "", true},
		{"and equals what was added", "whole", []string{"self.sets.all(s, size(s + ['b']) == 2 && s != ['b'])"}, "[a]", "", true},
		{"also where that makes what nobody looks at", "whole", []string{"self.sets.all(s, size([1].map(x, s + ['b'])) == 1 && s != ['b'])"}, "[a]", "", true},
		{"whatever it is called by", "set", []string{"size((size(self) > 0 ? self : ['x']) + ['b']) == 2", "self == ['b']"}, "[a]", "", false},
		{"what was collected is no set", "set", []string{"self.map(x, x) + ['b'] == self.map(x, x) + ['b']", "size(self.filter(x, x != 'a') + ['b']) == 1", "self == ['b']"}, "[a]", "", true},
	} {
		h := rulesOnSet(t, tt.at, tt.rules).harnessOf(t)
		p := pair{obj: document(t, "{whole: {set: "+tt.a+", sets: ["+tt.a+"]}}")}
		if tt.old != "" {
			p.old = document(t, "{whole: {set: "+tt.old+"}}")
		}
		difference, valid := compared(t.Context(), h, p)
		if difference != "" || valid == tt.invalid {
			t.Errorf("%s: valid is %t in the reference; %s", tt.why, valid, difference)
		}
	}
}

// rulesOnSet is a case with rules on a set, or on the object that it is in.
func rulesOnSet(t testing.TB, at string, rules []string) differentialCase {
	t.Helper()
	written := map[string]string{}
	for i, rule := range rules {
		written[at] += fmt.Sprintf("{rule: %q, message: rule %d}, ", rule, i)
	}
	const set = `type: array, x-kubernetes-list-type: set, items: {type: string}`
	return differentialCase{schema: `{type: object, properties: {whole: {type: object, x-kubernetes-validations: [` + written["whole"] +
		`], properties: {sets: {type: array, items: {` + set + `}}, set: {` + set + `, x-kubernetes-validations: [` + written["set"] + `]}}}}}`}
}

// TestGeneratedUnionsOfSets is TestUnionsOfSets on rules that are made at random.
func TestGeneratedUnionsOfSets(t *testing.T) {
	src := rand.New(rand.NewPCG(*seed, 0))
	var valid, invalid int
	for range 150 {
		var rules []string
		for range 4 {
			rules = append(rules, aboutSets(src))
		}
		c := rulesOnSet(t, "set", rules)
		h := c.harnessOf(t)
		for range 4 {
			p := pair{obj: document(t, "{whole: {set: "+someSet(src)+"}}")}
			if src.IntN(3) > 0 {
				p.old = document(t, "{whole: {set: "+someSet(src)+"}}")
			}
			difference, ok := compared(t.Context(), h, p)
			if difference != "" {
				t.Fatalf("%s\nrules:\n%s\nobject %v, old %v", difference, strings.Join(rules, "\n"), p.obj, p.old)
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

// aboutSets is a rule on sets.
func aboutSets(src *rand.Rand) string {
	a, b := setTerm(src, 2), setTerm(src, 2)
	switch src.IntN(8) {
	case 0:
		return a + " != " + b
	case 1:
		return fmt.Sprintf("size(%s) >= %d", a, src.IntN(4))
	case 2:
		return "'b' in " + a + " || " + a + " == " + b
	case 3:
		return "[" + a + "].all(s, size(s + ['b']) >= size(s + " + b + "))"
	case 4:
		return a + ".all(x, x in " + b + ") || size(" + b + ") > 1"
	case 5:
		return "size(self) > 1 ? " + a + " == " + b + " : size(" + b + ") > 0"
	}
	return a + " == " + b
}

func setTerm(src *rand.Rand, depth int) string {
	switch src.IntN(8) {
	case 0, 1:
		if depth > 0 {
			return "(" + setTerm(src, depth-1) + " + " + setTerm(src, depth-1) + ")"
		}
	case 2:
		return "oldSelf"
	case 3:
		return "['b']"
	case 4:
		return "['c', 'a']"
	case 5:
		if depth > 0 {
			return "(size(self) > 1 ? " + setTerm(src, depth-1) + " : " + setTerm(src, depth-1) + ")"
		}
	}
	return "self"
}

func someSet(src *rand.Rand) string {
	return []string{"[]", "[a]", "[b]", "[a, b]", "[c, a]", "[b, c]"}[src.IntN(6)]
}

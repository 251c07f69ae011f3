package declarative_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// listCase is about rules that compare and add lists.
type listCase struct {
	why         string
	list        string // the schema of each list
	other       string // the schema of the list "b", if it is different
	onList      bool   // the rules are on the list "a", not on the object with all lists
	rules       []string
	object, old string // the lists
	valid       bool   // in the reference
}

func (c listCase) differential() differentialCase {
	var rules []string
	for i, rule := range c.rules {
		if !strings.HasPrefix(rule, "{rule:") {
			rule = fmt.Sprintf("{rule: %q, message: rule %d}", rule, i)
		}
		rules = append(rules, rule)
	}
	ruled := ", x-kubernetes-validations: [" + strings.Join(rules, ", ") + "]"
	lists := "additionalProperties: {" + c.list + "}" + ruled
	switch {
	case c.onList:
		lists = "properties: {a: {" + c.list + ruled + "}}"
	case c.other != "":
		lists = "properties: {a: {" + c.list + "}, b: {" + c.other + "}}" + ruled
	}
	d := differentialCase{
		name: c.why, why: c.why, valid: c.valid, root: true, object: `{lists: ` + c.object + `, change: new}`,
		schema: `{type: object, properties: {change: {type: string}, lists: {type: object, ` + lists + `}}}`,
	}
	if c.old != "" {
		d.old = `{lists: ` + c.old + `, change: old}`
	}
	return d
}

const (
	nullableIntegers = `type: array, items: {type: integer, nullable: true}`
	setOfStrings     = `type: array, x-kubernetes-list-type: set, items: {type: string}`
	setOfObjects     = `type: array, x-kubernetes-list-type: set, items: {x-kubernetes-map-type: atomic, type: object, ` +
		`properties: {id: {type: string}}}`
	setOfLists   = `type: array, x-kubernetes-list-type: set, items: {x-kubernetes-list-type: atomic, type: array, items: {type: string}}`
	times        = `type: array, items: {type: string, format: date-time}`
	listOfSets   = `type: array, items: {` + setOfStrings + `}`
	keyedObjects = `type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [id], items: {type: object, ` +
		`required: [id], properties: {id: {type: string}, v: {type: string}}}`
)

// TestRulesOfLists compares with the reference how rules see lists. The API server keeps CEL's value of an
// added item, and reads it as if it were JSON.
func TestRulesOfLists(t *testing.T) {
	for _, tt := range slices.Concat(addedLists(), unionsOfSets()) {
		t.Run(tt.why, func(t *testing.T) { tt.differential().check(t) })
	}
}

func addedLists() []listCase {
	return []listCase{
		{valid: true, why: "a null that was added is null", list: nullableIntegers,
			rules: []string{"(self.a + self.b).all(x, type(x) == null_type || x < 9)"}, object: `{a: [1], b: [null]}`},
		{valid: true, why: "a null that is added to: it is the null that it was", list: nullableIntegers,
			rules: []string{"(self.b + self.a).all(x, type(x) == null_type || x < 9)"}, object: `{a: [1], b: [null]}`},
		{valid: true, why: "a set of texts with an object in it, unchanged: what is no text is a member of its own", list: setOfStrings,
			rules: []string{"(self.a + oldSelf.a).size() < 9"}, object: `{a: [a, {a: 1}]}`, old: `{a: [a, {a: 1}]}`},
		{why: "a set of objects is compared: objects cannot be hashed", list: setOfObjects,
			rules: []string{"self.a.all(x, x == x)", "self.a == self.a"}, object: `{a: [{id: x}]}`},
		{valid: true, why: "sets of objects are compared, one of them empty: nothing is hashed", list: setOfObjects,
			rules: []string{"self.a != self.b", "self.b == self.b", "size(self.b + self.b) == 0"}, object: `{a: [{id: x}], b: []}`},
		{why: "adding to a set of objects: they cannot be hashed", list: setOfObjects,
			rules: []string{"(self.a + self.a).size() < 9"}, object: `{a: [{id: x}]}`},
		{valid: true, why: "a set of objects is added to a list: nothing is hashed", list: setOfObjects,
			rules: []string{"([self.a[0]] + self.a).size() == 2"}, object: `{a: [{id: x}]}`},
		{why: "sets of lists: they cannot be hashed", list: setOfLists,
			rules:  []string{"self.a == oldSelf.a", "self.a in [self.a]", "size(self.a + self.b) == 2"},
			object: `{a: [[x]], b: [["y"]]}`, old: `{a: [[x]], b: [["y"]]}`},
		{valid: true, why: "sets of bytes", list: `type: array, x-kubernetes-list-type: set, items: {type: string, format: byte}`,
			rules: []string{"self.a == self.a", "size(self.a + self.b) == 2", "self.a != self.c"}, object: `{a: [YQ==], b: [Yg==], c: []}`},
		{valid: true, why: "adding to a list of times", list: times,
			rules: []string{"(self.a + oldSelf.a).all(x, x == x)"}, object: `{a: ["2024-01-02T03:04:05Z"]}`,
			old: `{a: ["2025-01-02T03:04:05Z"]}`},
		{valid: true, why: "unions of sets of times", list: `x-kubernetes-list-type: set, ` + times,
			rules:  []string{"self.a + oldSelf.a == oldSelf.a + self.a"},
			object: `{a: ["2024-01-02T03:04:05Z"]}`, old: `{a: ["2024-01-02T03:04:05Z", "2025-01-02T03:04:05Z"]}`},
		{valid: true, why: "literal lists are added", list: `type: array, items: {type: array, items: {type: string}}`,
			rules: []string{"(self.a + [['y']]).all(x, size(x) == 1)"}, object: `{a: [[x]]}`},
		{valid: true, why: "literal lists are added to a sum", list: `type: array, items: {type: array, items: {type: string}}`,
			rules: []string{"(self.a + self.a + [['y']]).all(x, size(x) == 1)"}, object: `{a: [[x]]}`},
		{why: "looking up objects with unknown fields: equality compares the fields of one side: the item's, and in a list " +
			"literal those of the value to find", list: `type: array, items: {type: object, properties: {id: {type: string}}}`,
			rules: []string{
				"self.a[0] in self.b", "self.b[0] in self.a", "self.a[0] in [self.b[0]]", "self.b[0] in [self.a[0]]",
				"self.a[0] in (self.b + self.b)", "self.b[0] in (self.a + self.a)",
				"sets.contains(self.b, self.a)", "sets.contains(self.a, self.b)", "sets.contains(self.b + self.b, self.a)",
				"sets.contains(self.a + self.a, self.b)",
				"sets.contains(self.b, self.a + self.a)", "sets.contains([self.b[0]], self.a)", "sets.contains([self.a[0]], self.b)",
				"self.a.indexOf(self.b[0]) == 0", "(self.b + self.b).indexOf(self.a[0]) == 0",
				"self.a[0] == self.b[0]", "self.b[0] == self.a[0]", "self.a == self.b", "self.b == self.a",
				"self.a + self.a == self.b + self.b", "self.b + self.b == self.a + self.a",
				"self.a.exists(x, x in self.b)", "self.b.exists(x, x in self.a)", "[self.a] == [self.b]", "[self.b] == [self.a]",
				"self.a in [self.b]", "self.b in [self.a]",
			}, object: `{a: [{x: 1}], b: [{id: a}]}`},
		{why: "keys that would be one text: more than three keys are quoted", list: `type: array, x-kubernetes-list-type: map, ` +
			`x-kubernetes-list-map-keys: [a, b, c, d], items: {type: object, properties: {a: {type: string}, b: {type: string}, ` +
			`c: {type: string}, d: {type: string}}}`,
			rules:  []string{"size(self.a + self.b) == 1", "self.a != self.b", "self.a + self.b == self.b"},
			object: `{a: [{a: x y, b: z, c: "", d: ""}], b: [{a: x, b: "y z", c: "", d: ""}]}`},
		{why: "adding lists of a different list type: they are read as items of the list to which they are added", list: setOfLists,
			rules: []string{"self.a.all(x, (self.b + [x]).all(y, y == ['x', 'y']))"}, object: `{a: [["y", x]], b: []}`},
	}
}

// unionsOfSets are about unions, which change no set, and items that are no members.
func unionsOfSets() []listCase {
	return []listCase{
		{why: "a union is no equality", onList: true, list: setOfStrings, rules: []string{"self == ['b']"}, object: `{a: [a]}`},
		{why: "a union does not change the set", onList: true, list: setOfStrings,
			rules: []string{"size(self + ['b']) == 2", "self == ['b']", "size(self) == 1 && !('b' in self)"}, object: `{a: [a]}`},
		{valid: true, why: "two unions of the same sets are equal", onList: true, list: setOfStrings,
			rules: []string{"self + ['b'] == self + ['b']"}, object: `{a: [a]}`},
		{why: "the next rule finds the set as it was", onList: true, list: setOfStrings,
			rules: []string{"size(self + ['b']) == 2", "size(self + ['b']) == 1"}, object: `{a: [a]}`},
		{valid: true, why: "rules that are true at first sight", onList: true, list: setOfStrings,
			rules: []string{"size(self + ['b']) > 0", "self != ['b']"}, object: `{a: [a]}`},
		{why: "the right side does not change", onList: true, list: setOfStrings,
			rules: []string{"size(['b'] + self) == 2", "self == ['b']"}, object: `{a: [a]}`},
		{why: "an expression that is not evaluated changes nothing", onList: true, list: setOfStrings,
			rules: []string{"size(self) == 1 || size(self + ['b']) == 0", "self == ['b']"}, object: `{a: [a]}`},
		{why: "nor does it change oldSelf", onList: true, list: setOfStrings,
			rules: []string{"size(oldSelf + ['b']) == 2", "oldSelf == ['b']"}, object: `{a: [a]}`, old: `{a: [c]}`},
		{why: "and is a different value than self", onList: true, list: setOfStrings,
			rules: []string{"size(oldSelf + ['b']) == 2", "self == ['b']"}, object: `{a: [a]}`, old: `{a: [c]}`},
		{why: "rules that an update skips change nothing", onList: true, list: setOfStrings,
			rules: []string{"size(self + oldSelf) == 2", "self == ['b']"}, object: `{a: [a]}`},
		{why: "nor does a rule of a different schema", list: setOfStrings,
			rules: []string{"size(self.a + ['b']) == 2", "self.a == ['b']"}, object: `{a: [a]}`},
		{valid: true, why: "a field is read again each time", list: setOfStrings, rules: []string{"self.a + ['b'] == self.a + ['b']"},
			object: `{a: [a]}`},
		{why: "two unions of a variable are equal", list: listOfSets, rules: []string{"self.a.all(s, s + ['b'] != s + ['b'])"},
			object: `{a: [[a]]}`},
		{valid: true, why: "a union that does not decide changes nothing", list: listOfSets,
			rules: []string{"self.a.all(s, (size(s + ['b']) > 0 || size(s) > 0) && s != ['b'])"}, object: `{a: [[a]]}`},
		{valid: true, why: "unions of a variable", list: listOfSets, rules: []string{"self.a.all(s, s + ['b'] == s + ['b'])"},
			object: `{a: [[a]]}`},
		{valid: true, why: "a union does not change a variable", list: listOfSets,
			rules: []string{"self.a.all(s, size(s + ['b']) == 2 && s != ['b'])"}, object: `{a: [[a]]}`},
		{valid: true, why: "a union whose value is not used changes nothing", list: listOfSets,
			rules: []string{"self.a.all(s, size([1].map(x, s + ['b'])) == 1 && s != ['b'])"}, object: `{a: [[a]]}`},
		{why: "a set behind a condition does not change", onList: true, list: setOfStrings,
			rules: []string{"size((size(self) > 0 ? self : ['x']) + ['b']) == 2", "self == ['b']"}, object: `{a: [a]}`},
		{why: "a collected list is not a set", onList: true, list: setOfStrings,
			rules: []string{
				"self.map(x, x) + ['b'] == self.map(x, x) + ['b']",
				"size(self.filter(x, x != 'a') + ['b']) == 1",
				"self == ['b']",
			}, object: `{a: [a]}`},
		{valid: true, why: "set: items that are no texts are members of their own", onList: true, list: setOfStrings,
			object: `{a: [a, {x: 1}, b]}`, old: `{a: [a, {x: 1}, b]}`,
			rules: []string{
				`{rule: self == self}`,
				`{rule: "self != ['a', 'c', 'a']", message: a}`,
				`{rule: "self == ['a', 'a', 'a']", message: b}`,
				`{rule: "size(self + ['b']) == 4", message: c}`,
			}},
		{why: "oldSelf: items that are no texts are members of their own", onList: true, list: setOfStrings,
			object: `{a: [a, {x: 1}, b]}`, old: `{a: [a, {x: 1}, b]}`,
			rules: []string{
				`{rule: oldSelf == self}`,
				`{rule: "oldSelf != ['a', 'c', 'a']", message: a}`,
				`{rule: "self != ['a', 'c', 'a']", message: b}`,
			}},
		{why: "message: items that are no texts are members of their own", onList: true, list: setOfStrings,
			object: `{a: [a, {x: 1}, b]}`, old: `{a: [a, {x: 1}, b]}`,
			rules: []string{
				`{rule: 'size(oldSelf) == 1', messageExpression: string(self == self)}`,
				`{rule: "self != ['a', 'c', 'a']", message: a}`,
			}},
		{why: "keys: the look-up has the items that came before one that cannot be hashed", onList: true, list: keyedObjects,
			object: `{a: [{id: a}, {id: [x]}]}`, old: `{a: [{id: a}, {id: [x]}]}`,
			rules: []string{
				`{rule: self == self}`,
				`{rule: 'self != [self[0], self[0]]', message: a}`,
				`{rule: 'oldSelf != [self[0], self[0]]', message: b}`,
				`{rule: 'size(self + [self[0]]) == 2', message: c}`,
			}},
	}
}

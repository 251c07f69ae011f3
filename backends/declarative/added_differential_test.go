package declarative_test

import (
	"fmt"
	"strings"
	"testing"
)

// addedCase is about rules on a map of lists.
type addedCase struct {
	name, why string
	list      string // the schema of the lists
	rules     []string
	object    string
	old       string
	invalid   bool // in the reference
}

func (c addedCase) differential() differentialCase {
	rules := ""
	for i, rule := range c.rules {
		rules += fmt.Sprintf("{rule: %q, message: rule %d}, ", rule, i)
	}
	written := differentialCase{name: c.name, why: c.why, object: `{lists: ` + c.object + `, change: new}`}
	if c.old != "" {
		written.old = `{lists: ` + c.old + `, change: old}`
	}
	written.schema = `{type: object, properties: {change: {type: string}, lists: {type: object, additionalProperties: {` + c.list + `}, x-kubernetes-validations: [` + rules + `]}}}`
	return written
}

const (
	nullableIntegers = `type: array, items: {type: integer, nullable: true}`
	setOfStrings     = `type: array, x-kubernetes-list-type: set, items: {type: string}`
	setOfObjects     = `type: array, x-kubernetes-list-type: set, items: {x-kubernetes-map-type: atomic, type: object, properties: {id: {type: string}}}`
	setOfLists       = `type: array, x-kubernetes-list-type: set, items: {x-kubernetes-list-type: atomic, type: array, items: {type: string}}`
	times            = `type: array, items: {type: string, format: date-time}`
)

// nulls are what + makes of null: upstream keeps what CEL has for it, which no schema
// accepts when it is read.
func nullsAdded() []addedCase {
	var all []addedCase
	for name, items := range map[string]string{
		"integers": `{type: integer, nullable: true}`, "strings": `{type: string, nullable: true}`, "numbers": `{type: number, nullable: true}`,
		"booleans": `{type: boolean, nullable: true}`, "int-or-strings": `{x-kubernetes-int-or-string: true, nullable: true}`,
		"objects": `{type: object, nullable: true, properties: {id: {type: string}}}`, "maps": `{type: object, nullable: true, additionalProperties: {type: string}}`,
		"lists": `{type: array, nullable: true, items: {type: string}}`, "times": `{type: string, format: date-time, nullable: true}`,
	} {
		for _, listType := range []string{"atomic", "set"} {
			list := "type: array, items: " + items + ", x-kubernetes-list-type: " + listType
			for _, rule := range []string{
				"self.a + self.b == self.a + self.b", "(self.a + self.b).all(x, type(x) == null_type)", "(self.a + self.b).exists(x, type(x) == null_type)",
				"size(self.a + self.b) < 9", "dyn(null) in (self.b + self.b)", "(self.a + self.b + self.c).size() < 9", "(self.b + self.a)[0] == self.b[0]",
				"(self.b + self.c)[0] == self.b[0]", "self.b == self.b", "self.b + self.c == self.b", "self.b == self.b + self.c", "[self.b[0]] + self.b == self.b + self.b",
			} {
				all = append(all, addedCase{name: name + " " + listType + ": " + rule, list: list, rules: []string{rule}, object: `{a: [], b: [null], c: []}`})
			}
		}
	}
	return all
}

// TestAddedLists holds against the reference what rules see of lists that were added:
// the API server keeps what CEL made of each item, and reads it as if it was JSON.
func TestAddedLists(t *testing.T) {
	for _, tt := range append(nullsAdded(), []addedCase{
		{
			name: "a null that was added", why: "it is no null when it is read", list: nullableIntegers, invalid: true,
			rules: []string{"(self.a + self.b).all(x, type(x) == null_type || x < 9)"}, object: `{a: [1], b: [null]}`,
		},
		{
			name: "a null that is added to", why: "it is the null that it was", list: nullableIntegers,
			rules: []string{"(self.b + self.a).all(x, type(x) == null_type || x < 9)"}, object: `{a: [1], b: [null]}`,
		},
		{
			name: "a set with an object in it, unchanged", why: "it cannot be hashed", list: setOfStrings, invalid: true,
			rules: []string{"(self.a + oldSelf.a).size() < 9"}, object: `{a: [a, {a: 1}]}`, old: `{a: [a, {a: 1}]}`,
		},
		{
			name: "a set of objects is compared", why: "they cannot be hashed", list: setOfObjects, invalid: true,
			rules: []string{"self.a.all(x, x == x)", "self.a == self.a"}, object: `{a: [{id: x}]}`,
		},
		{
			name: "sets of objects are compared, of which one is empty", why: "nothing is hashed", list: setOfObjects,
			rules: []string{"self.a != self.b", "self.b == self.b", "size(self.b + self.b) == 0"}, object: `{a: [{id: x}], b: []}`,
		},
		{
			name: "a set of objects is added to", why: "they cannot be hashed", list: setOfObjects, invalid: true,
			rules: []string{"(self.a + self.a).size() < 9"}, object: `{a: [{id: x}]}`,
		},
		{
			name: "a set of objects is added to a list", why: "nothing is hashed", list: setOfObjects,
			rules: []string{"([self.a[0]] + self.a).size() == 2"}, object: `{a: [{id: x}]}`,
		},
		{
			name: "sets of lists", why: "they cannot be hashed", list: setOfLists, invalid: true,
			rules: []string{"self.a == oldSelf.a", "self.a in [self.a]", "size(self.a + self.b) == 2"}, object: `{a: [[x]], b: [["y"]]}`, old: `{a: [[x]], b: [["y"]]}`,
		},
		{
			name: "sets of bytes", why: "bytes cannot be hashed, the texts that they were can", list: `type: array, x-kubernetes-list-type: set, items: {type: string, format: byte}`, invalid: true,
			rules: []string{"self.a == self.a", "size(self.a + self.b) == 2", "self.a != self.c"}, object: `{a: [YQ==], b: [Yg==], c: []}`,
		},
		{
			name: "a list of times is added", why: "they are no texts when they are read", list: times, invalid: true,
			rules: []string{"(self.a + oldSelf.a).all(x, x == x)"}, object: `{a: ["2024-01-02T03:04:05Z"]}`, old: `{a: ["2025-01-02T03:04:05Z"]}`,
		},
		{
			name: "unions of sets of times", why: "a time that a union brought in is not found again", list: `x-kubernetes-list-type: set, ` + times, invalid: true,
			rules:  []string{"self.a + oldSelf.a == oldSelf.a + self.a"},
			object: `{a: ["2024-01-02T03:04:05Z"]}`, old: `{a: ["2024-01-02T03:04:05Z", "2025-01-02T03:04:05Z"]}`,
		},
		{
			name: "literal lists are added", why: "they are no data", list: `type: array, items: {type: array, items: {type: string}}`, invalid: true,
			rules: []string{"(self.a + [['y']]).all(x, size(x) == 1)"}, object: `{a: [[x]]}`,
		},
		{
			name: "literal lists are added to a sum", why: "it reads them as the list that it began with", list: `type: array, items: {type: array, items: {type: string}}`, invalid: true,
			rules: []string{"(self.a + self.a + [['y']]).all(x, size(x) == 1)"}, object: `{a: [[x]]}`,
		},
		{
			name: "objects with unknown fields are looked for", why: "equality looks at the fields of one side: the item's, and in a literal list those of what is looked for", list: `type: array, items: {type: object, properties: {id: {type: string}}}`, invalid: true,
			rules: []string{
				"self.a[0] in self.b", "self.b[0] in self.a", "self.a[0] in [self.b[0]]", "self.b[0] in [self.a[0]]", "self.a[0] in (self.b + self.b)", "self.b[0] in (self.a + self.a)",
				"sets.contains(self.b, self.a)", "sets.contains(self.a, self.b)", "sets.contains(self.b + self.b, self.a)", "sets.contains(self.a + self.a, self.b)",
				"sets.contains(self.b, self.a + self.a)", "sets.contains([self.b[0]], self.a)", "sets.contains([self.a[0]], self.b)", "self.a.indexOf(self.b[0]) == 0", "(self.b + self.b).indexOf(self.a[0]) == 0",
				"self.a[0] == self.b[0]", "self.b[0] == self.a[0]", "self.a == self.b", "self.b == self.a", "self.a + self.a == self.b + self.b", "self.b + self.b == self.a + self.a",
				"self.a.exists(x, x in self.b)", "self.b.exists(x, x in self.a)", "[self.a] == [self.b]", "[self.b] == [self.a]", "self.a in [self.b]", "self.b in [self.a]",
			}, object: `{a: [{x: 1}], b: [{id: a}]}`,
		},
		{
			name: "keys that are one text", why: "more than three keys are written one after the other", list: `type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [a, b, c, d], items: {type: object, properties: {a: {type: string}, b: {type: string}, c: {type: string}, d: {type: string}}}`,
			rules: []string{"size(self.a + self.b) == 1", "self.a != self.b", "self.a + self.b == self.b"}, object: `{a: [{a: x y, b: z, c: "", d: ""}], b: [{a: x, b: "y z", c: "", d: ""}]}`,
		},
		{
			name: "lists of another list type are added", why: "they are read as items of the list that they are added to", list: setOfLists,
			rules: []string{"self.a.all(x, (self.b + [x]).all(y, y == ['x', 'y']))"}, object: `{a: [["y", x]], b: []}`, invalid: true,
		},
	}...) {
		t.Run(tt.name, func(t *testing.T) {
			c := tt.differential()
			difference, valid := compared(t.Context(), c.harnessOf(t), c.pair(t))
			if difference != "" || tt.why != "" && valid == tt.invalid {
				t.Errorf("%s: valid is %t in the reference\n%s", tt.why, valid, difference)
			}
		})
	}
}

// TestAddedListsOfTwoTypes: what is added is read by the schema of the list on the left.
func TestAddedListsOfTwoTypes(t *testing.T) {
	for _, types := range [][2]string{
		{"type: integer", "x-kubernetes-int-or-string: true"}, {"type: string", "x-kubernetes-int-or-string: true"}, {"type: number", "x-kubernetes-int-or-string: true"},
		{"type: integer, nullable: true", "type: integer"}, {"type: integer, nullable: true", "x-kubernetes-int-or-string: true, nullable: true"},
		{"type: array, items: {type: string}", "type: array, x-kubernetes-list-type: set, items: {type: string}"}, {"type: string, format: date", "type: string, format: date-time"},
		{"type: object, additionalProperties: {type: string}", "type: object, additionalProperties: {type: string, nullable: true}"},
	} {
		for _, rule := range []string{"(self.a + self.b).all(x, x == x)", "(self.b + self.a).all(x, x == x)", "(self.a + self.b).exists(x, x in self.a)", "self.a + self.b == self.b + self.a", "size(self.b + self.a) == 2"} {
			for _, object := range []string{"{a: [1], b: [2]}", "{a: [x], b: [2]}", "{a: [1], b: [x]}", "{a: [[x]], b: [[x]]}", "{a: [null], b: [null]}", "{a: [{}], b: [{x: null}]}", `{a: ["2024-01-02"], b: ["2024-01-02T03:04:05Z"]}`} {
				c := differentialCase{object: `{lists: ` + object + `, change: new}`, old: `{lists: ` + object + `, change: old}`}
				c.schema = fmt.Sprintf(`{type: object, properties: {change: {type: string}, lists: {type: object, properties: {a: {type: array, items: {%s}}, b: {type: array, items: {%s}}}, x-kubernetes-validations: [{rule: %q}]}}}`, types[0], types[1], rule)
				if difference, _ := compared(t.Context(), c.harnessOf(t), c.pair(t)); difference != "" {
					t.Errorf("%q, %s, %s: %s", types, rule, object, difference)
				}
			}
		}
	}
}

// TestRulesAfterPanics holds against the reference what rules see of a list after one of
// them met an item that cannot be hashed: its look-up has the items that came before.
func TestRulesAfterPanics(t *testing.T) {
	const byKey = `type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [id], items: {type: object, required: [id], properties: {id: {type: string}, v: {type: string}}}`
	for _, tt := range []struct {
		name, list, object string
		rules              []string
	}{
		{"set", setOfStrings, `[a, {x: 1}, b]`, []string{
			`{rule: self == self}`, `{rule: "self != ['a', 'c', 'a']", message: a}`, `{rule: "self == ['a', 'a', 'a']", message: b}`, `{rule: "size(self + ['b']) == 4", message: c}`,
		}},
		{"oldSelf", setOfStrings, `[a, {x: 1}, b]`, []string{
			`{rule: oldSelf == self}`, `{rule: "oldSelf != ['a', 'c', 'a']", message: a}`, `{rule: "self != ['a', 'c', 'a']", message: b}`,
		}},
		{"message", setOfStrings, `[a, {x: 1}, b]`, []string{
			`{rule: 'size(oldSelf) == 1', messageExpression: string(self == self)}`, `{rule: "self != ['a', 'c', 'a']", message: a}`,
		}},
		{"keys", byKey, `[{id: a}, {id: [x]}]`, []string{
			`{rule: self == self}`, `{rule: 'self != [self[0], self[0]]', message: a}`, `{rule: 'oldSelf != [self[0], self[0]]', message: b}`, `{rule: 'size(self + [self[0]]) == 2', message: c}`,
		}},
	} {
		c := differentialCase{
			schema: `{type: object, properties: {change: {type: string}, list: {` + tt.list + `, x-kubernetes-validations: [` + strings.Join(tt.rules, ", ") + `]}}}`,
			object: `{change: new, list: ` + tt.object + `}`, old: `{change: old, list: ` + tt.object + `}`,
		}
		if difference, valid := compared(t.Context(), c.harnessOf(t), c.pair(t)); difference != "" || valid {
			t.Errorf("%s: valid is %t in the reference\n%s", tt.name, valid, difference)
		}
	}
}

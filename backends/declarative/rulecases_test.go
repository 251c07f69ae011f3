package declarative_test

import "strings"

// ruled is a schema with one property "v", and rules on the object.
func ruled(property, rules string) string {
	return "type: object\nproperties:\n  v: " + property + "\nx-kubernetes-validations: " + rules + "\n"
}

const transitions = `
type: object
properties:
  name: {type: string, x-kubernetes-validations: [{rule: self == oldSelf, message: is immutable, reason: FieldValueForbidden}]}
  size: {type: integer, x-kubernetes-validations: [{rule: self <= 3}]}
  once: {type: string, x-kubernetes-validations: [{rule: "oldSelf.hasValue() || self == 'first'", optionalOldSelf: true, ` +
	`message: must begin as first}]}
  broken: {type: object, properties: {r: {type: string}}, x-kubernetes-validations: [{rule: self.r == 'a', message: r}]}
  grow: {type: integer, x-kubernetes-validations: [{rule: self > oldSelf, message: must grow}]}
  kind: {type: string, x-kubernetes-validations: [{rule: self != 'Bad', message: bad kind}]}
  nick: {type: string, nullable: true, x-kubernetes-validations: [{rule: "!oldSelf.hasValue()", optionalOldSelf: true, message: had one}]}
  note: {type: string}
  map:
    type: array
    x-kubernetes-list-type: map
    x-kubernetes-list-map-keys: [name]
    items:
      type: object
      required: [name]
      properties: {name: {type: string}, size: {type: integer}}
      x-kubernetes-validations: [{rule: "!has(oldSelf.size) || self.size >= oldSelf.size", message: may not shrink}]
  atomic:
    type: array
    items: {type: string, x-kubernetes-validations: [{rule: size(self) < 3}]}
  all:
    type: integer
    allOf: [{x-kubernetes-validations: [{rule: self < 5, message: five}]}]
  nest: {type: object, properties: {v: {type: integer}}, allOf: [{properties: {v: {allOf: [{x-kubernetes-validations: ` +
	`[{rule: self < 5}]}]}}}]}
  deep: {type: object, properties: {v: {type: integer}, w: {type: string}}, allOf: [{properties: {v: ` +
	`{x-kubernetes-validations: [{rule: self < 5}]}}}]}
`

// ruleCases are rules on objects and on updates.
func ruleCases() []differentialCase {
	return []differentialCase{
		{name: "two rules with the same error", why: "both of them count",
			schema: ruled("{type: integer}", "[{rule: self.v > 1, message: m}, {rule: self.v > 2, message: m}]"), object: `{v: 1}`},
		{name: "has null", why: "a null field is not set", schema: ruled("{type: integer, nullable: true}",
			"[{rule: has(self.v), message: v}]"), object: `{v: null}`},
		{name: "map", why: "keys of a map are not escaped",
			schema: ruled("{type: object, maxProperties: 5, additionalProperties: {type: integer}}",
				"[{rule: \"self.v.all(k, k == 'a-b' || self.v[k] > 1)\", message: k}]"), object: `{v: {a-b: 1, c: 2, d: 1}}`},
		{name: "root", why: "the root has a kind",
			schema: ruled("{type: integer}", "[{rule: \"self.kind == 'K' && self.metadata.name == 'n' && self.apiVersion == 'v1'\"}]"),
			object: `{apiVersion: v1, kind: K, metadata: {name: "n"}}`, root: true, valid: true},
		{name: "strings", why: "a list of strings can be joined",
			schema: ruled("{type: array, maxItems: 3, items: {type: string, maxLength: 5}}",
				"[{rule: \"self.v.join('-') == 'a-b' && self.v.isSorted() && 'a' in self.v && self.v[1] == 'b'\"}]"),
			object: `{v: [a, b]}`, valid: true},
		{name: "bounds", why: "an index out of bounds ends the rule",
			schema: ruled("{type: array, maxItems: 3, items: {type: string, maxLength: 5}}", "[{rule: \"self.v[3] == 'a'\"}]"),
			object: `{v: [a, b]}`},
		{name: "call limit", why: "a rule that costs too much ends all", schema: ruled("{type: array, items: {type: integer}}",
			"[{rule: \"self.v.all(a, self.v.all(b, self.v.all(c, a + b + c > 0)))\"}, {rule: 'false'}]"),
			object: `{v: [` + strings.Repeat("1,", 120) + `1]}`},
		{name: "transition create", why: "without an old value a transition rule does not run", schema: transitions,
			object: `{name: a}`, valid: true},
		{name: "transition same", why: "nothing changed", schema: transitions, object: `{name: a}`, old: `{name: a}`, valid: true},
		{name: "transition", why: "Forbidden has no value", schema: transitions, object: `{name: b}`, old: `{name: a}`},
		{name: "transition new", why: "a field that was not set has no old value", schema: transitions, object: `{name: b}`,
			old: `{}`, valid: true},
		{name: "ratcheted rule", why: "a failure at an unchanged value is dropped", schema: transitions,
			object: `{size: 9, note: x}`, old: `{size: 9}`, valid: true},
		{name: "changed rule", why: "and one at a changed value is not", schema: transitions, object: `{size: 9}`, old: `{size: 8}`},
		{name: "optional create", why: "optionalOldSelf runs on create", schema: transitions, object: `{once: second}`},
		{name: "optional update", why: "and on update", schema: transitions, object: `{once: second}`, old: `{once: first}`, valid: true},
		{name: "optional new", why: "and when the field is new", schema: transitions, object: `{once: second}`, old: `{note: x}`},
		{name: "transition in map", why: "items have an old value by their key", schema: transitions,
			object: `{map: [{name: b, size: 1}, {name: a, size: 1}]}`, old: `{map: [{name: a, size: 2}, {name: b, size: 1}]}`},
		{name: "atomic item", why: "an item of an atomic list is as old as the list", schema: transitions,
			object: `{atomic: [abcd, x]}`, old: `{atomic: [abcd]}`},
		{name: "atomic list", why: "which did not change here", schema: transitions, object: `{atomic: [abcd], note: x}`,
			old: `{atomic: [abcd]}`, valid: true},
		{name: "allOf", why: "a rule in allOf is as old as the object of its value", schema: transitions,
			object: `{all: 7, note: x}`, old: `{all: 7}`},
		{name: "allOf unchanged", why: "which did not change here", schema: transitions, object: `{all: 7}`, old: `{all: 7}`, valid: true},
		{name: "allOf below", why: "and the same holds below the branch", schema: transitions, object: `{deep: {v: 7}, note: x}`,
			old: `{deep: {v: 7}}`},
		{name: "allOf in a branch", why: "is as old as the object of the outer value", schema: transitions,
			object: `{nest: {v: 7}, note: x}`, old: `{nest: {v: 7}}`},
		{name: "a rule that breaks", why: "on an unchanged value is still an error", schema: transitions,
			object: `{broken: {}, note: x}`, old: `{broken: {}}`},
		{name: "unchanged transition", why: "an error of a transition rule is not dropped", schema: transitions,
			object: `{grow: 1}`, old: `{grow: 1}`},
		{name: "a rule at kind", why: "for the root it is not ratcheted separately", schema: transitions,
			object: `{kind: Bad, note: x}`, old: `{kind: Bad}`},
		{name: "a rule at kind of an unchanged object", why: "nor with the object", schema: transitions, object: `{kind: Bad}`,
			old: `{kind: Bad}`},
		{name: "optional null", why: "an old null is no old value, although it exists", schema: transitions,
			object: `{nick: x}`, old: `{nick: null}`, valid: true},
		{name: "optional text", why: "an old text is one", schema: transitions, object: `{nick: x}`, old: `{nick: "y"}`},
		{name: "null old", why: "an old null is no old value", schema: transitions, object: `{name: b}`, old: `{name: null}`, valid: true},
	}
}

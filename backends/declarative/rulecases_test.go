package declarative_test

// ruled wraps rules for one property "v" whose schema is given.
func ruled(property, rules string) string {
	return "type: object\nproperties:\n  v: " + property + "\nx-kubernetes-validations: " + rules + "\n"
}

const transitions = `
type: object
properties:
  name: {type: string, x-kubernetes-validations: [{rule: self == oldSelf, message: is immutable, reason: FieldValueForbidden}]}
  size: {type: integer, x-kubernetes-validations: [{rule: self <= 3}]}
  once: {type: string, x-kubernetes-validations: [{rule: "oldSelf.hasValue() || self == 'first'", optionalOldSelf: true, message: must begin as first}]}
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
  nest: {type: object, properties: {v: {type: integer}}, allOf: [{properties: {v: {allOf: [{x-kubernetes-validations: [{rule: self < 5}]}]}}}]}
  deep: {type: object, properties: {v: {type: integer}, w: {type: string}}, allOf: [{properties: {v: {x-kubernetes-validations: [{rule: self < 5}]}}}]}
`

const equalities = `
type: object
properties:
  sets: {type: array, maxItems: 2, items: {type: array, x-kubernetes-list-type: set, maxItems: 5, items: {type: string, maxLength: 5}}}
  maps: {type: array, maxItems: 2, items: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [name], maxItems: 5, items: {type: object, required: [name], properties: {name: {type: string, maxLength: 5}, v: {type: integer}}}}}
  lists: {type: array, maxItems: 2, items: {type: array, maxItems: 5, items: {type: integer}}}
  objects: {type: array, maxItems: 2, items: {type: object, x-kubernetes-preserve-unknown-fields: true, properties: {a: {type: string}}}}
x-kubernetes-validations:
- {rule: "!has(self.sets) || self.sets[0] == self.sets[1]", message: sets differ}
- {rule: "!has(self.sets) || (self.sets[0] + self.sets[1]).size() == 3", message: union}
- {rule: "!has(self.maps) || self.maps[0] == self.maps[1]", message: maps differ}
- {rule: "!has(self.maps) || (self.maps[0] + self.maps[1]).all(e, e.v == 2)", message: merged}
- {rule: "!has(self.lists) || self.lists[0] == self.lists[1]", message: lists differ}
- {rule: "!has(self.lists) || (self.lists[0] + self.lists[1]).size() < 4", message: sum}
- {rule: "!has(self.objects) || self.objects[0] == self.objects[1]", message: objects differ}
`

func ruleCases() []referenceCase {
	return append(append(evaluationCases(), transitionCases()...), messageCases()...)
}

func evaluationCases() []referenceCase {
	return []referenceCase{
		{name: "rule true", why: "a true rule says nothing", schema: ruled("{type: integer}", "[{rule: self.v > 1}]"), object: `{v: 2}`, valid: true},
		{name: "rule false", why: "the default message names the rule", schema: ruled("{type: integer}", "[{rule: self.v > 1}]"), object: `{v: 1}`},
		{name: "rule on a scalar", why: "the value is shown", schema: "type: object\nproperties: {v: {type: integer, x-kubernetes-validations: [{rule: self > 1, message: too small}]}}", object: `{v: 1}`},
		{name: "two rules that say the same", why: "each of them counts", schema: ruled("{type: integer}", "[{rule: self.v > 1, message: m}, {rule: self.v > 2, message: m}]"), object: `{v: 1}`},
		{name: "has", why: "an absent field is not set", schema: ruled("{type: integer}", "[{rule: has(self.v), message: v, reason: FieldValueRequired, fieldPath: .v}]"), object: `{}`},
		{name: "has null", why: "a null field is not set", schema: ruled("{type: integer, nullable: true}", "[{rule: has(self.v), message: v}]"), object: `{v: null}`},
		{name: "rule on null", why: "rules do not run on null", schema: "type: object\nproperties: {v: {type: integer, nullable: true, x-kubernetes-validations: [{rule: 'false'}]}}", object: `{v: null}`, valid: true},
		{name: "blocked", why: "a wrong type keeps rules from running, and an error says so", schema: ruled("{type: integer}", "[{rule: 'false'}]"), object: `{v: x}`},
		{name: "not blocked", why: "a bad pattern does not", schema: ruled("{type: string, maxLength: 5, pattern: '^a'}", "[{rule: self.v != 'b', message: b}]"), object: `{v: b}`},
		{name: "missing key", why: "a field that is not set ends the rule", schema: ruled("{type: integer}", "[{rule: self.v > 1}]"), object: `{}`},
		{name: "escaped names", why: "names are escaped", schema: "type: object\nproperties: {a-b: {type: integer}, namespace: {type: integer}, a.b: {type: integer}, a__b: {type: integer}, a/b: {type: integer}}\nx-kubernetes-validations: [{rule: self.a__dash__b + self.__namespace__ + self.a__dot__b + self.a__underscores__b + self.a__slash__b + self.namespace == 6, message: sum}]", object: `{a-b: 1, namespace: 1, a.b: 1, a__b: 1, a/b: 1}`, valid: true},
		{name: "map", why: "keys of a map are not escaped", schema: ruled("{type: object, maxProperties: 5, additionalProperties: {type: integer}}", "[{rule: \"self.v.all(k, k == 'a-b' || self.v[k] > 1)\", message: k}]"), object: `{v: {a-b: 1, c: 2, d: 1}}`},
		{name: "rule in map", why: "the error is at the key, in brackets", schema: ruled("{type: object, additionalProperties: {type: integer, x-kubernetes-validations: [{rule: self > 1}]}}", "[]"), object: `{v: {a-b: 1, c: 2, d: 1}}`},
		{name: "rule in list", why: "the error is at the item", schema: ruled("{type: array, items: {type: integer, x-kubernetes-validations: [{rule: self > 1}]}}", "[]"), object: `{v: [1, 2, 1]}`},
		{name: "int or string", why: "its type is known at run time", schema: ruled("{x-kubernetes-int-or-string: true}", "[{rule: type(self.v) == int && self.v > 1}]"), object: `{v: 1}`},
		{name: "int or string broken", why: "an overload that is missing at run time is explained", schema: ruled("{x-kubernetes-int-or-string: true}", "[{rule: self.v > 1}]"), object: `{v: a}`},
		{name: "formats", why: "strings are what their format makes of them", schema: "type: object\nproperties: {t: {type: string, format: date-time}, d: {type: string, format: duration}, b: {type: string, format: byte}, day: {type: string, format: date}}\nx-kubernetes-validations: [{rule: \"self.t.getFullYear() == 2020 && self.d > duration('1m') && size(self.b) == 3 && self.day.getMonth() == 0\"}]", object: `{t: "2020-01-01T00:00:00Z", d: 2m, b: YWJj, day: "2020-01-02"}`, valid: true},
		{name: "double", why: "an integer is a number", schema: ruled("{type: number}", "[{rule: self.v > 1.5}]"), object: `{v: 2}`, valid: true},
		{name: "root", why: "the root has a kind", schema: ruled("{type: integer}", "[{rule: \"self.kind == 'K' && self.metadata.name == 'n' && self.apiVersion == 'v1'\"}]"), object: `{apiVersion: v1, kind: K, metadata: {name: "n"}}`, root: true, valid: true},
		{name: "embedded", why: "an embedded resource has a kind", schema: ruled("{type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true, x-kubernetes-validations: [{rule: \"self.kind == 'K'\"}]}", "[]"), object: `{v: {apiVersion: v1, kind: L}}`},
		{name: "set equality", why: "the order of a set does not count, and + is a union", schema: equalities, object: `{sets: [[a, b, c], [c, b, a]]}`, valid: true},
		{name: "set difference", why: "other members do", schema: equalities, object: `{sets: [[a, b], [a, c]]}`},
		{name: "map equality", why: "the order of a map list does not count", schema: equalities, object: `{maps: [[{name: a, v: 2}, {name: b, v: 2}], [{name: b, v: 2}, {name: a, v: 2}]]}`, valid: true},
		{name: "map merge", why: "+ replaces items with the same key", schema: equalities, object: `{maps: [[{name: a, v: 1}], [{name: a, v: 2}, {name: b, v: 2}]]}`},
		{name: "list equality", why: "the order of an atomic list counts", schema: equalities, object: `{lists: [[1, 2], [2, 1]]}`},
		{name: "objects", why: "what the schema does not declare counts too", schema: equalities, object: `{objects: [{a: x, z: [1]}, {a: x, z: [2]}]}`},
		{name: "same objects", why: "and is compared deeply", schema: equalities, object: `{objects: [{a: x, z: [1]}, {a: x, z: [1]}]}`, valid: true},
		{name: "strings", why: "a list of strings can be joined", schema: ruled("{type: array, maxItems: 3, items: {type: string, maxLength: 5}}", "[{rule: \"self.v.join('-') == 'a-b' && self.v.isSorted() && 'a' in self.v && self.v[1] == 'b'\"}]"), object: `{v: [a, b]}`, valid: true},
		{name: "bounds", why: "an index out of bounds ends the rule", schema: ruled("{type: array, maxItems: 3, items: {type: string, maxLength: 5}}", "[{rule: \"self.v[3] == 'a'\"}]"), object: `{v: [a, b]}`},
		{name: "call limit", why: "a rule that costs too much ends all", schema: ruled("{type: array, items: {type: integer}}", "[{rule: \"self.v.all(a, self.v.all(b, self.v.all(c, a + b + c > 0)))\"}, {rule: 'false'}]"), object: `{v: [` + repeat("1,", 120) + `1]}`},
	}
}

func repeat(s string, n int) string {
	all := make([]byte, 0, n*len(s))
	for range n {
		all = append(all, s...)
	}
	return string(all)
}

func transitionCases() []referenceCase {
	return []referenceCase{
		{name: "transition create", why: "without an old value a transition rule does not run", schema: transitions, object: `{name: a}`, valid: true},
		{name: "transition same", why: "nothing changed", schema: transitions, object: `{name: a}`, old: `{name: a}`, valid: true},
		{name: "transition", why: "Forbidden has no value", schema: transitions, object: `{name: b}`, old: `{name: a}`},
		{name: "transition new", why: "a field that was not set has no old value", schema: transitions, object: `{name: b}`, old: `{}`, valid: true},
		{name: "ratcheted rule", why: "a failure at an unchanged value is dropped", schema: transitions, object: `{size: 9, note: x}`, old: `{size: 9}`, valid: true},
		{name: "changed rule", why: "and one at a changed value is not", schema: transitions, object: `{size: 9}`, old: `{size: 8}`},
		{name: "optional create", why: "optionalOldSelf runs on create", schema: transitions, object: `{once: second}`},
		{name: "optional update", why: "and on update", schema: transitions, object: `{once: second}`, old: `{once: first}`, valid: true},
		{name: "optional new", why: "and when the field is new", schema: transitions, object: `{once: second}`, old: `{note: x}`},
		{name: "transition in map", why: "items have an old value by their key", schema: transitions, object: `{map: [{name: b, size: 1}, {name: a, size: 1}]}`, old: `{map: [{name: a, size: 2}, {name: b, size: 1}]}`},
		{name: "atomic item", why: "an item of an atomic list is as old as the list", schema: transitions, object: `{atomic: [abcd, x]}`, old: `{atomic: [abcd]}`},
		{name: "atomic list", why: "which did not change here", schema: transitions, object: `{atomic: [abcd], note: x}`, old: `{atomic: [abcd]}`, valid: true},
		{name: "allOf", why: "a rule in allOf is as old as what contains its value", schema: transitions, object: `{all: 7, note: x}`, old: `{all: 7}`},
		{name: "allOf unchanged", why: "which did not change here", schema: transitions, object: `{all: 7}`, old: `{all: 7}`, valid: true},
		{name: "allOf below", why: "and the same holds below the branch", schema: transitions, object: `{deep: {v: 7}, note: x}`, old: `{deep: {v: 7}}`},
		{name: "allOf in a branch", why: "is as old as what contains the value of the outer one", schema: transitions, object: `{nest: {v: 7}, note: x}`, old: `{nest: {v: 7}}`},
		{name: "a rule that breaks", why: "on what did not change is an error nevertheless", schema: transitions, object: `{broken: {}, note: x}`, old: `{broken: {}}`},
		{name: "unchanged transition", why: "what a transition rule says is not dropped", schema: transitions, object: `{grow: 1}`, old: `{grow: 1}`},
		{name: "a rule at kind", why: "of the root it is not ratcheted on its own", schema: transitions, object: `{kind: Bad, note: x}`, old: `{kind: Bad}`},
		{name: "a rule at kind of an unchanged object", why: "nor with the object", schema: transitions, object: `{kind: Bad}`, old: `{kind: Bad}`},
		{name: "optional null", why: "an old null is none, though it is there", schema: transitions, object: `{nick: x}`, old: `{nick: null}`, valid: true},
		{name: "optional text", why: "an old text is one", schema: transitions, object: `{nick: x}`, old: `{nick: "y"}`},
		{name: "null old", why: "an old null is no old value", schema: transitions, object: `{name: b}`, old: `{name: null}`, valid: true},
	}
}

func messageCases() []referenceCase {
	return []referenceCase{
		{name: "message", why: "a message is trimmed", schema: ruled("{type: integer}", "[{rule: self.v > 1, message: '  v must be more  '}]"), object: `{v: 1}`},
		{name: "messageExpression", why: "it wins over the message", schema: ruled("{type: integer}", "[{rule: self.v > 1, message: m, messageExpression: \"'not ' + string(self.v)\"}]"), object: `{v: 1}`},
		{name: "messageExpression fails", why: "then the message is used", schema: ruled("{type: array, items: {type: string}}", "[{rule: size(self.v) > 1, message: m, messageExpression: 'self.v[5]'}]"), object: `{v: [a]}`},
		{name: "messageExpression empty", why: "an empty one is none", schema: ruled("{type: string}", "[{rule: 'false', message: m, messageExpression: 'self.v'}]"), object: `{v: ""}`},
		{name: "messageExpression lines", why: "one with line breaks is none", schema: ruled("{type: string}", "[{rule: 'false', message: m, messageExpression: 'self.v'}]"), object: `{v: "a\nb"}`},
		{name: "reasons", why: "each of the API server's reasons", schema: ruled("{type: integer}", "[{rule: 'false', reason: FieldValueInvalid}, {rule: 'false', reason: FieldValueForbidden}, {rule: 'false', reason: FieldValueRequired}, {rule: 'false', reason: FieldValueDuplicate}]"), object: `{v: 1}`},
		{name: "field path", why: "an error can be at a field that is not there", schema: ruled("{type: object, properties: {a: {type: object, additionalProperties: {type: string}}, 'b.c': {type: string}}}", "[{rule: 'false', fieldPath: \".v.a['x.y']\"}, {rule: 'false', fieldPath: \".v['b.c']\"}, {rule: 'false', fieldPath: .v}]"), object: `{v: {}}`},
	}
}

package declarative_test

import "slices"

// referenceCase is one schema and one object, or an update of old to object.
type referenceCase struct {
	name, why           string
	schema, object, old string
	root, valid         bool
}

// scalars is a schema with one property for each keyword on scalars.
const scalars = `
type: object
required: [name]
properties:
  name: {type: string, minLength: 2, maxLength: 5, pattern: '^[a-z]+$'}
  nick: {type: string, nullable: true}
  mode: {type: string, enum: [Always, Never]}
  level: {type: integer, enum: [1, 2]}
  ip: {type: string, format: ipv4}
  at: {type: string, format: date-time}
  odd: {type: string, format: never-heard-of}
  small: {type: integer, format: int32}
  count: {type: integer, minimum: 1, maximum: 10, multipleOf: 2}
  inner: {type: number, minimum: 1, exclusiveMinimum: true, maximum: 2.5, exclusiveMaximum: true}
  ratio: {type: number, multipleOf: 0.5}
  on: {type: boolean}
  port: {x-kubernetes-int-or-string: true}
`

// containers is a schema with one property for each keyword on lists and maps.
const containers = `
type: object
properties:
  list: {type: array, minItems: 1, maxItems: 2, items: {type: string, maxLength: 3}}
  set: {type: array, x-kubernetes-list-type: set, items: {type: string}}
  unique: {type: array, uniqueItems: true, items: {type: integer}}
  map:
    type: array
    x-kubernetes-list-type: map
    x-kubernetes-list-map-keys: [name]
    items: {type: object, required: [name], properties: {name: {type: string}, size: {type: integer, maximum: 3}}}
  ports:
    type: array
    x-kubernetes-list-type: map
    x-kubernetes-list-map-keys: [port, protocol]
    items: {type: object, properties: {port: {type: integer}, protocol: {type: string}}}
  labels: {type: object, minProperties: 1, maxProperties: 2, additionalProperties: {type: string, maxLength: 2}}
  closed: {type: object, additionalProperties: false, properties: {a: {type: string}}}
  free: {type: object, x-kubernetes-preserve-unknown-fields: true}
  resource: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
`

// junctors is a schema with one property for each junctor.
const junctors = `
type: object
properties:
  all: {type: integer, allOf: [{minimum: 2}, {maximum: 4}, {multipleOf: 2}]}
  any: {type: object, properties: {a: {type: string}, b: {type: integer}}, anyOf: [{required: [a]}, {required: [b], properties: {b: {minimum: 3}}}]}
  one: {type: object, properties: {a: {type: string}, b: {type: string}}, oneOf: [{required: [a]}, {required: [b]}]}
  not: {type: string, not: {pattern: '^x'}}
  port: {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}], pattern: '^[0-9]+$'}
  deep: {type: array, items: {type: object, properties: {v: {type: integer}}, anyOf: [{properties: {v: {minimum: 10}}}, {properties: {v: {maximum: 1}}}]}}
`

func referenceCases() []referenceCase {
	return slices.Concat(createCases(), updateCases(), correlationCases(), unchangedCases(), ruleCases())
}

func createCases() []referenceCase {
	return []referenceCase{
		{name: "scalars valid", why: "every keyword is satisfied", schema: scalars, valid: true,
			object: `{name: ab, nick: null, mode: Never, level: 2, ip: 10.0.0.1, at: "2020-01-01T00:00:00Z", odd: x, small: 5, count: 10, inner: 1.5, ratio: 2.5, on: true, port: "80"}`},
		{name: "required", why: "a property that is missing is reported at the property", schema: scalars, object: `{}`},
		{name: "too short", why: "a minimum length is Invalid", schema: scalars, object: `{name: a}`},
		{name: "too long", why: "only the first failure of a string is reported", schema: scalars, object: `{name: ABCDEFG}`},
		{name: "runes", why: "lengths are counted in code points", schema: scalars, object: `{name: "äöüßé"}`},
		{name: "pattern", why: "a pattern is Invalid", schema: scalars, object: `{name: "a1"}`},
		{name: "null", why: "null needs nullable", schema: scalars, object: `{name: null, mode: null, count: null}`},
		{name: "enum", why: "NotSupported lists the values", schema: scalars, object: `{name: ab, mode: Sometimes, level: 3}`},
		{name: "enum float", why: "an enum compares numbers by value", schema: scalars, object: `{name: ab, level: 1.0}`, valid: true},
		{name: "format", why: "a bad format is TypeInvalid in the API server", schema: scalars, object: `{name: ab, ip: x, at: y}`},
		{name: "types", why: "every wrong type names the type that was found", schema: scalars,
			object: `{name: 1, nick: true, mode: [], ip: 5, at: {}, count: "1", inner: "x", on: 1, port: true, small: "x"}`},
		{name: "list for a formatted string", why: "kube-openapi lets a list pass as a string with a format", schema: scalars, object: `{name: ab, ip: []}`, valid: true},
		{name: "int32", why: "the error of a range has no field", schema: scalars, object: `{name: ab, small: 3000000000}`},
		{name: "bounds low", why: "a lower bound and a multiple", schema: scalars, object: `{name: ab, count: -1, inner: 1}`},
		{name: "bounds high", why: "an upper bound", schema: scalars, object: `{name: ab, count: 12, inner: 2.5}`},
		{name: "fraction cut", why: "a bound's fraction is cut off when it meets an integer", schema: scalars, object: `{name: ab, inner: 2}`},
		{name: "whole float", why: "3.0 is no integer that is a multiple of 2", schema: scalars, object: `{name: ab, count: 3.0}`},
		{name: "fraction", why: "3.5 is no integer", schema: scalars, object: `{name: ab, count: 3.5, small: 3.5}`},
		{name: "multiple", why: "a multiple of a fraction", schema: scalars, object: `{name: ab, ratio: 0.7}`},

		{name: "containers valid", why: "every keyword is satisfied", schema: containers, valid: true,
			object: `{list: [a], set: [a, b], unique: [1, 2], map: [{name: a}, {name: b}], ports: [{port: 1}, {port: 1, protocol: UDP}], labels: {a: b}, closed: {a: x}, free: {x: [1]}, resource: {apiVersion: v1, kind: Pod, metadata: {name: x}}}`},
		{name: "too few items", why: "a minimum of items is Invalid", schema: containers, object: `{list: []}`},
		{name: "too many items", why: "a maximum of items is TooMany", schema: containers, object: `{list: [a, b, c, dddd]}`},
		{name: "set", why: "the second of equal items is reported, once", schema: containers, object: `{set: [a, b, a, a, b]}`},
		{name: "set in a map", why: "what is there twice has the key in brackets", schema: `{type: object, properties: {sets: {type: object, additionalProperties: {type: array, x-kubernetes-list-type: set, items: {type: string}}}}}`,
			object: `{sets: {x: [a, a], y.z: [b, b]}}`},
		{name: "keys of the root", why: "a key at the root has no dot, one that begins with dots keeps them, and one without a text is written like the root", schema: `{type: object, additionalProperties: {type: object, additionalProperties: {type: integer, maximum: 3}}}`,
			object: `{x: {"y": 9, .y: 9}, .x: {"y": 9}, ..x: 9, "": 9}`},
		{name: "the root", why: "has no name", schema: `{type: object, minProperties: 2, required: [a], properties: {a: {type: string}}}`, object: `{}`},
		{name: "unique", why: "uniqueItems does not say which", schema: containers, object: `{unique: [1, 1]}`},
		{name: "map keys", why: "a Duplicate shows the key", schema: containers, object: `{map: [{name: a}, {name: a, size: 9}, {size: 1}, {}]}`},
		{name: "two keys", why: "a missing key is a key", schema: containers, object: `{ports: [{port: 1}, {port: 1, protocol: TCP}, {port: 1}, {protocol: TCP}, {port: 1, protocol: TCP}]}`},
		{name: "map of scalars", why: "a list of type map holds objects", schema: containers, object: `{map: [{name: a}, 5]}`},
		{name: "labels", why: "a schema error writes the key like a field", schema: containers, object: `{labels: {a: abc, b: x, c: 1}}`},
		{name: "no labels", why: "too few properties", schema: containers, object: `{labels: {}}`},
		{name: "closed", why: "additionalProperties: false", schema: containers, object: `{closed: {b: 1, c: 2}}`},
		{name: "embedded", why: "an embedded resource has apiVersion and kind", schema: containers, object: `{resource: {}}`},
		{name: "embedded metadata", why: "needs no name, and may have the beginning of one that is none", schema: containers, valid: true,
			object: `{resource: {apiVersion: v1, kind: Pod, metadata: {labels: {a: b}, generateName: "."}}}`},
		{name: "embedded bad", why: "and its metadata is validated", schema: containers, object: `{resource: {apiVersion: a/b/c, kind: "x y", metadata: {name: "a/b", labels: {"-": x}}}}`},
		{name: "embedded types", why: "and they are strings", schema: containers, object: `{resource: {apiVersion: 1, kind: "", metadata: {name: 5}}}`},

		{name: "junctors valid", why: "every junctor is satisfied", schema: junctors, valid: true,
			object: `{all: 4, any: {b: 3}, one: {b: x}, not: a, port: 80, deep: [{v: 11}, {v: 0}]}`},
		{name: "allOf", why: "all failing branches and one error for all", schema: junctors, object: `{all: 5}`},
		{name: "allOf twice the same", why: "what two branches say of a value is said once", schema: `{type: object, properties: {a: {type: integer, allOf: [{minimum: 5}, {minimum: 5}]}}}`, object: `{a: 1}`},
		{name: "allOf none", why: "the message says that no branch was valid", schema: `{type: object, properties: {a: {type: string, allOf: [{minLength: 5}, {pattern: '^x'}]}}}`, object: `{a: b}`},
		{name: "anyOf", why: "the branch that got furthest explains", schema: junctors, object: `{any: {b: 1}}`},
		{name: "anyOf none", why: "of equal branches the first explains", schema: junctors, object: `{any: {}}`},
		{name: "anyOf type", why: "a wrong type fails in the branches too", schema: junctors, object: `{any: 5, port: true}`},
		{name: "oneOf both", why: "two valid branches", schema: junctors, object: `{one: {a: x, b: y}}`},
		{name: "oneOf none", why: "no valid branch", schema: junctors, object: `{one: {}}`},
		{name: "not", why: "a valid branch of not", schema: junctors, object: `{not: xa}`},
		{name: "int or string", why: "the pattern is of strings only", schema: junctors, object: `{port: "8a"}`},
		{name: "deep anyOf", why: "each item explains itself", schema: junctors, object: `{deep: [{v: 5}, {v: 0}, {v: x}]}`},
	}
}

// updates is a schema for ratcheting.
const updates = `
type: object
properties:
  apiVersion: {type: string}
  kind: {type: string, maxLength: 3}
  spec:
    type: object
    properties:
      name: {type: string, maxLength: 3}
      size: {type: integer, maximum: 3}
      atomic: {type: array, items: {type: string, maxLength: 3}}
      map:
        type: array
        x-kubernetes-list-type: map
        x-kubernetes-list-map-keys: [name]
        items: {type: object, properties: {name: {type: string}, size: {type: integer, maximum: 3}, note: {type: string}}}
      set: {type: array, x-kubernetes-list-type: set, items: {type: string, maxLength: 3}}
      labels: {type: object, additionalProperties: {type: string, maxLength: 3}}
      any: {type: object, properties: {v: {type: integer}, note: {type: string}}, anyOf: [{properties: {v: {minimum: 10}}}, {properties: {v: {maximum: 1}}}]}
      free: {type: object, maxProperties: 0, x-kubernetes-preserve-unknown-fields: true}
`

func updateCases() []referenceCase {
	return []referenceCase{
		{name: "update unchanged", why: "an error at an unchanged value is dropped", schema: updates, valid: true,
			object: `{spec: {name: toolong, size: 9}}`, old: `{spec: {name: toolong, size: 9}}`},
		{name: "update sibling", why: "a change beside it does not bring it back", schema: updates, valid: true,
			object: `{spec: {name: toolong, size: 1}}`, old: `{spec: {name: toolong, size: 2}}`},
		{name: "update changed", why: "a changed value is validated", schema: updates,
			object: `{spec: {name: toolonger}}`, old: `{spec: {name: toolong}}`},
		{name: "update new field", why: "a value without an old one is validated", schema: updates,
			object: `{spec: {name: toolong}}`, old: `{spec: {}}`},
		{name: "update kind", why: "apiVersion and kind cannot be ratcheted on their own", schema: updates,
			object: `{kind: Long, spec: {size: 1}}`, old: `{kind: Long, spec: {size: 2}}`},
		{name: "update map reordered", why: "items are correlated by key", schema: updates, valid: true,
			object: `{spec: {map: [{name: b, size: 9}, {name: a, size: 8}]}}`, old: `{spec: {map: [{name: a, size: 8}, {name: b, size: 9}]}}`},
		{name: "update map note", why: "the bound is at an unchanged field of a changed item", schema: updates, valid: true,
			object: `{spec: {map: [{name: a, size: 9, note: x}]}}`, old: `{spec: {map: [{name: a, size: 9}]}}`},
		{name: "update map new", why: "an item with a new key is validated", schema: updates,
			object: `{spec: {map: [{name: b, size: 9}]}}`, old: `{spec: {map: [{name: a, size: 9}]}}`},
		{name: "update atomic", why: "items of an atomic list are not correlated", schema: updates,
			object: `{spec: {atomic: [long, x]}}`, old: `{spec: {atomic: [long]}}`},
		{name: "update atomic unchanged", why: "but the whole list is", schema: updates, valid: true,
			object: `{spec: {atomic: [long], size: 1}}`, old: `{spec: {atomic: [long]}}`},
		{name: "update set", why: "nor are members of a set", schema: updates,
			object: `{spec: {set: [long, x]}}`, old: `{spec: {set: [long]}}`},
		{name: "update set duplicate", why: "duplicates in the old object switch the check off", schema: updates, valid: true,
			object: `{spec: {set: [a, a, b]}}`, old: `{spec: {set: [a, a]}}`},
		{name: "update set new duplicate", why: "a new duplicate is found", schema: updates,
			object: `{spec: {set: [a, a]}}`, old: `{spec: {set: [a]}}`},
		{name: "update map duplicates", why: "keys in both lists are not unique", schema: updates, valid: true,
			object: `{spec: {map: [{name: a, size: 1}, {name: a, size: 9}]}}`, old: `{spec: {map: [{name: a, size: 9}, {name: a, size: 1}]}}`},
		{name: "update labels", why: "a key is correlated", schema: updates,
			object: `{spec: {labels: {a: long, b: long}}}`, old: `{spec: {labels: {a: long}}}`},
		{name: "update anyOf", why: "a junctor of a changed value fails, at an unchanged part too", schema: updates,
			object: `{spec: {any: {v: 5, note: x}}}`, old: `{spec: {any: {v: 5}}}`},
		{name: "update anyOf changed", why: "and at a changed part", schema: updates,
			object: `{spec: {any: {v: 6}}}`, old: `{spec: {any: {v: 5}}}`},
		{name: "update unknown", why: "a map with an entry that no schema covers is never unchanged", schema: updates,
			object: `{spec: {free: {x: 1}}}`, old: `{spec: {free: {x: 1}}}`},
		{name: "update type", why: "the type changed", schema: updates,
			object: `{spec: {name: 5}}`, old: `{spec: {name: abc}}`},
		{name: "update null", why: "an unchanged null is dropped", schema: updates, valid: true,
			object: `{spec: {name: null, size: 1}}`, old: `{spec: {name: null}}`},
	}
}

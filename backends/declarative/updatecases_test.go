package declarative_test

// createCases are objects that need more than a single keyword, see TestKeywords.
func createCases() []differentialCase {
	return []differentialCase{
		{name: "set in a map", why: "a duplicate has the key in brackets", schema: `{type: object, properties: {sets: {type: ` +
			`object, additionalProperties: {type: array, x-kubernetes-list-type: set, items: {type: string}}}}}`,
			object: `{sets: {x: [a, a], y.z: [b, b]}}`},
		{name: "keys of the root", why: "a key at the root has no dot, one that begins with dots keeps them, and one without " +
			"a text is written like the root", schema: `{type: object, additionalProperties: {type: object, additionalProperties: ` +
			`{type: integer, maximum: 3}}}`,
			object: `{x: {"y": 9, .y: 9}, .x: {"y": 9}, ..x: 9, "": 9}`},
		{name: "the root", why: "has no name", schema: `{type: object, minProperties: 2, required: [a], properties: {a: {type: ` +
			`string}}}`, object: `{}`},
		{name: "allOf twice the same", why: "an error of two branches is reported once",
			schema: `{type: object, properties: {a: {type: integer, allOf: [{minimum: 5}, {minimum: 5}]}}}`, object: `{a: 1}`},
		{name: "allOf none", why: "the message says that no branch was valid", schema: `{type: object, properties: {a: {type: ` +
			`string, allOf: [{minLength: 5}, {pattern: '^x'}]}}}`, object: `{a: b}`},
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
      any: {type: object, properties: {v: {type: integer}, note: {type: string}}, anyOf: [{properties: {v: {minimum: ` +
	`10}}}, {properties: {v: {maximum: 1}}}]}
      free: {type: object, maxProperties: 0, x-kubernetes-preserve-unknown-fields: true}
`

func updateCases() []differentialCase {
	return []differentialCase{
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
			object: `{spec: {map: [{name: b, size: 9}, {name: a, size: 8}]}}`,
			old:    `{spec: {map: [{name: a, size: 8}, {name: b, size: 9}]}}`},
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
			object: `{spec: {map: [{name: a, size: 1}, {name: a, size: 9}]}}`,
			old:    `{spec: {map: [{name: a, size: 9}, {name: a, size: 1}]}}`},
		{name: "update labels", why: "a key is correlated", schema: updates,
			object: `{spec: {labels: {a: long, b: long}}}`, old: `{spec: {labels: {a: long}}}`},
		{name: "update anyOf", why: "a junctor of a changed value fails, even at an unchanged part", schema: updates,
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

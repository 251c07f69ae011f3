package declarative_test

// unchangedRules has rules that are false, or cannot be evaluated, on values that an update
// did not change.
const unchangedRules = `
type: object
properties:
  spec:
    type: object
    properties:
      things:
        type: array
        maxItems: 20
        items:
          type: object
          required: [name]
          properties:
            name: {type: string, maxLength: 10}
            kind: {type: string, maxLength: 10, default: a}
            size: {type: integer}
            wait: {type: string, maxLength: 10}
            tags:
              type: array
              maxItems: 5
              items: {type: string, maxLength: 5}
              x-kubernetes-validations: [{rule: "self.all(t, t != 'bad')", message: a bad tag}]
          x-kubernetes-validations:
          - {rule: self.name != 'bad', message: a bad name}
          - {rule: self.kind != 'bad', message: a bad kind}
          - {rule: "!has(self.size) || self.size < 10", message: too large}
          - {rule: "!has(self.wait) || duration(self.wait) < duration('1h')", message: too long}
        x-kubernetes-validations: [{rule: 'self.all(a, self.exists_one(b, a.name == b.name))', message: twice}]
      named:
        type: object
        maxProperties: 5
        additionalProperties:
          type: object
          properties: {up: {type: boolean}}
          x-kubernetes-validations: [{rule: '!has(self.up) || self.up', message: down}]
      keyed:
        type: array
        maxItems: 5
        x-kubernetes-list-type: map
        x-kubernetes-list-map-keys: [name]
        items:
          type: object
          required: [name]
          properties: {name: {type: string, maxLength: 10}, size: {type: integer}}
          x-kubernetes-validations: [{rule: self.name != 'bad', message: a bad name}]
      grown:
        type: array
        maxItems: 5
        items: {type: string, maxLength: 10}
        x-kubernetes-validations:
        - {rule: self.size() >= oldSelf.size(), message: fewer}
        - {rule: "self.all(s, s != 'bad')", message: a bad text}
      told:
        type: array
        maxItems: 5
        items: {type: string, maxLength: 10}
        x-kubernetes-validations: [{rule: self.size() < 1, messageExpression: "'there is ' + self[0] + self[4]"}]
  other: {type: string}
`

// unchangedBranch has rules below allOf.
const unchangedBranch = `
type: object
properties:
  note: {type: string}
  joined:
    type: array
    maxItems: 5
    items:
      type: object
      properties: {wait: {type: string, maxLength: 5}}
      allOf: [{x-kubernetes-validations: [{rule: "!has(self.wait) || duration(self.wait) < duration('1h')", message: too long}]}]
    x-kubernetes-validations: [{rule: self.size() < 5, message: many}]
`

// unchangedUnknown has an object with fields that the schema does not declare.
const unchangedUnknown = `
type: object
properties:
  apiVersion: {type: string}
  kind: {type: string}
  metadata: {type: object}
  spec:
    type: object
    required: [size]
    x-kubernetes-preserve-unknown-fields: true
    properties:
      size: {type: integer}
      name: {type: string, pattern: '^a'}
      free: {type: object, x-kubernetes-preserve-unknown-fields: true}
      labels: {type: object, maxProperties: 1, additionalProperties: {type: string}}
      plain: {type: array, maxItems: 1, items: {type: object, required: [a], properties: {a: {type: string}}}}
      keyed:
        type: array
        maxItems: 1
        x-kubernetes-list-type: map
        x-kubernetes-list-map-keys: [k]
        items: {type: object, required: [a], properties: {k: {type: string}, a: {type: string}, inner: {type: object, required: [b], properties: {b: {type: string}}}}}
  status: {type: object, properties: {name: {type: string, pattern: '^b'}}}
`

// unchangedCases are updates that change little or nothing. The API server runs all rules:
// it drops the error of one that is false on an unchanged value, and keeps that of one that
// cannot be evaluated.
func unchangedCases() []referenceCase {
	return []referenceCase{
		unchangedCase("unchanged rules, nothing", "all is true", unchangedRules, true, `{spec: {things: [{name: a, kind: b}]}}`),
		unchangedCase("unchanged rules, false", "a rule that is false on what did not change is dropped", unchangedRules, true, `{spec: {things: [{name: bad, kind: bad, size: 20, tags: [bad]}]}}`),
		unchangedCase("unchanged rules, broken", "one that cannot be evaluated is not: there is no default", unchangedRules, false, `{spec: {things: [{name: bad}]}}`),
		unchangedCase("unchanged rules, broken among others", "the kind of one thing alone is missing", unchangedRules, false, `{spec: {things: [{name: a, kind: b}, {name: c}, {name: c, kind: b}]}}`),
		unchangedCase("unchanged rules, no duration", "a rule that can break runs", unchangedRules, false, `{spec: {things: [{name: bad, kind: a, wait: x}]}}`),
		unchangedCase("unchanged rules, too long", "and is dropped where it is false", unchangedRules, true, `{spec: {things: [{name: a, kind: a, wait: 2h}]}}`),
		{name: "unchanged rules, changed elsewhere", why: "an update of another field", schema: unchangedRules, root: true, valid: true,
			object: `{spec: {things: [{name: bad, kind: b}]}, other: x}`, old: `{spec: {things: [{name: bad, kind: b}]}}`},
		{name: "unchanged rules, changed beside", why: "another list in the spec", schema: unchangedRules, root: true,
			object: `{spec: {things: [{name: bad, kind: b}], grown: [bad]}}`, old: `{spec: {things: [{name: bad, kind: b}], grown: [a]}}`},
		{name: "unchanged rules, changed inside", why: "an item changed, and with it the list", schema: unchangedRules, root: true,
			object: `{spec: {things: [{name: bad, kind: b, size: 1}]}}`, old: `{spec: {things: [{name: bad, kind: b}]}}`},
		{name: "unchanged rules, another order", why: "so did the list", schema: unchangedRules, root: true,
			object: `{spec: {things: [{name: bad, kind: b}, {name: c, kind: d}]}}`, old: `{spec: {things: [{name: c, kind: d}, {name: bad, kind: b}]}}`},
		unchangedCase("unchanged rules, an unknown field", "what nothing is known of is not compared", unchangedRules, true, `{spec: {things: [{name: bad, kind: b, x: y}]}}`),
		unchangedCase("unchanged rules, does not fit", "schema errors are dropped, rules run on data of the wrong type", unchangedRules, false, `{spec: {things: [{name: 1, kind: b}]}}`),
		unchangedCase("unchanged rules, map", "entries of a map", unchangedRules, true, `{spec: {named: {a: {up: false}, b: {}}}}`),
		{name: "unchanged rules, map that changed", why: "one entry did not", schema: unchangedRules, root: true, valid: true,
			object: `{spec: {named: {a: {up: false}, b: {}}}}`, old: `{spec: {named: {a: {up: false}}}}`},
		unchangedCase("unchanged rules, keyed", "a list by keys", unchangedRules, true, `{spec: {keyed: [{name: bad}]}}`),
		{name: "unchanged rules, keyed in another order", why: "which is the same list", schema: unchangedRules, root: true, valid: true,
			object: `{spec: {keyed: [{name: bad}, {name: a}]}}`, old: `{spec: {keyed: [{name: a}, {name: bad}]}}`},
		unchangedCase("unchanged rules, keyed and twice", "an item that is there twice", unchangedRules, true, `{spec: {keyed: [{name: bad}, {name: bad}]}}`),
		unchangedCase("unchanged rules, transition", "a transition rule runs", unchangedRules, true, `{spec: {grown: [bad]}}`),
		unchangedCase("unchanged rules, message", "what a rule would say is not made", unchangedRules, true, `{spec: {told: [a]}}`),
		unchangedCase("unchanged rules, null", "a list that is null", unchangedRules, true, `{spec: {things: null}}`),
		{name: "unchanged branch, false", why: "a rule of a branch that is false", schema: unchangedBranch, root: true, valid: true,
			object: `{joined: [{wait: 2h}], note: changed}`, old: `{joined: [{wait: 2h}]}`},
		{name: "unchanged branch, broken", why: "a rule of a branch that breaks", schema: unchangedBranch, root: true,
			object: `{joined: [{wait: x}], note: changed}`, old: `{joined: [{wait: x}]}`},
		unchangedCase("unchanged unknown, pattern", "a scalar that did not change", unchangedUnknown, true, `{spec: {size: 1, name: b}}`),
		unchangedCase("unchanged unknown, required", "all is known, so the map did not change", unchangedUnknown, true, `{spec: {name: b}}`),
		unchangedCase("unchanged unknown, required, unknown", "a map with an entry that no schema knows is never the same", unchangedUnknown, false, `{spec: {name: a, other: 1}}`),
		unchangedCase("unchanged unknown, required, unknown deeper", "nor is one that has such a map in it", unchangedUnknown, false, `{spec: {name: a, free: {other: 1}}}`),
		unchangedCase("unchanged unknown, pattern, unknown", "a scalar has its own old value, whatever is beside it", unchangedUnknown, true, `{spec: {size: 1, name: b, other: 1}}`),
		unchangedCase("unchanged unknown, labels", "additionalProperties knows all names", unchangedUnknown, true, `{spec: {size: 1, labels: {a: x, b: y}}}`),
		unchangedCase("unchanged unknown, labels that are maps", "but not what is in a map that should be a text", unchangedUnknown, false, `{spec: {labels: {a: {b: x}}}}`),
		unchangedCase("unchanged unknown, plain list", "a list that is no map is compared as a whole, unknown entries or not", unchangedUnknown, true, `{spec: {size: 1, plain: [{b: x}, {}]}}`),
		unchangedCase("unchanged unknown, keyed list", "each item is found by its key", unchangedUnknown, true, `{spec: {size: 1, keyed: [{k: x}, {k: z}]}}`),
		unchangedCase("unchanged unknown, keyed list, twice", "the second item has the first one as its old value", unchangedUnknown, false, `{spec: {size: 1, keyed: [{k: x, a: a}, {k: x}]}}`),
		unchangedCase("unchanged unknown, keyed list, no key", "an item without its key has no old value", unchangedUnknown, false, `{spec: {size: 1, keyed: [{a: a}, {k: x}]}}`),
		unchangedCase("unchanged unknown, keyed list, unknown", "the item has an entry that is not known, but is found", unchangedUnknown, false, `{spec: {size: 1, keyed: [{k: x, inner: {c: x}}]}}`),
		unchangedCase("unchanged unknown, keyed list of texts", "what is no object is not found by a key", unchangedUnknown, false, `{spec: {size: 1, keyed: [x]}}`),
		unchangedCase("unchanged unknown, a map for an integer", "which may have entries that are not known", unchangedUnknown, false, `{spec: {size: {a: 1}}}`),
		unchangedCase("unchanged unknown, an empty map for an integer", "which has none", unchangedUnknown, true, `{spec: {size: {}}}`),
	}
}

// unchangedCase is an update that changes nothing.
func unchangedCase(name, why, schema string, valid bool, object string) referenceCase {
	return referenceCase{name: name, why: why, schema: schema, root: true, valid: valid, object: object, old: object}
}

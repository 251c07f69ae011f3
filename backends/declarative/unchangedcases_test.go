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

// unchangedDefaults has rules that cannot be evaluated where a default is not set: of items,
// of what is in items, of all items or entries at once; and rules below allOf.
const unchangedDefaults = `
type: object
properties:
  note: {type: string}
  own:
    type: array
    maxItems: 5
    items: &kinded
      type: object
      properties: {kind: {type: string, maxLength: 5, default: a}}
      x-kubernetes-validations: [{rule: self.kind != 'bad', message: a bad kind}]
  below:
    type: array
    maxItems: 5
    items: {type: object, properties: {in: *kinded}}
  items:
    type: array
    maxItems: 5
    items: &plain {type: object, properties: {kind: {type: string, maxLength: 5, default: a}}}
    x-kubernetes-validations: [{rule: "self.all(x, x.kind != 'bad')", message: a bad kind}]
  values:
    type: object
    maxProperties: 5
    additionalProperties: *plain
    x-kubernetes-validations: [{rule: "self.all(k, self[k].kind != 'bad')", message: a bad kind}]
  inner:
    type: array
    maxItems: 5
    items:
      type: object
      properties: {of: {<<: *plain, nullable: true}}
      x-kubernetes-validations: [{rule: "!has(self.of) || self.of.kind != 'bad'", message: a bad kind}]
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
		{name: "unchanged rules, nothing", why: "all is true", schema: unchangedRules, root: true, valid: true,
			object: `{spec: {things: [{name: a, kind: b}]}}`, old: `{spec: {things: [{name: a, kind: b}]}}`},
		{name: "unchanged rules, false", why: "a rule that is false on what did not change is dropped", schema: unchangedRules, root: true, valid: true,
			object: `{spec: {things: [{name: bad, kind: bad, size: 20, tags: [bad]}]}}`, old: `{spec: {things: [{name: bad, kind: bad, size: 20, tags: [bad]}]}}`},
		{name: "unchanged rules, broken", why: "one that cannot be evaluated is not: there is no default", schema: unchangedRules, root: true,
			object: `{spec: {things: [{name: bad}]}}`, old: `{spec: {things: [{name: bad}]}}`},
		{name: "unchanged rules, broken among others", why: "the kind of one thing alone is missing", schema: unchangedRules, root: true,
			object: `{spec: {things: [{name: a, kind: b}, {name: c}, {name: c, kind: b}]}}`, old: `{spec: {things: [{name: a, kind: b}, {name: c}, {name: c, kind: b}]}}`},
		{name: "unchanged rules, no duration", why: "a rule that can break runs", schema: unchangedRules, root: true,
			object: `{spec: {things: [{name: bad, kind: a, wait: x}]}}`, old: `{spec: {things: [{name: bad, kind: a, wait: x}]}}`},
		{name: "unchanged rules, too long", why: "and is dropped where it is false", schema: unchangedRules, root: true, valid: true,
			object: `{spec: {things: [{name: a, kind: a, wait: 2h}]}}`, old: `{spec: {things: [{name: a, kind: a, wait: 2h}]}}`},
		{name: "unchanged rules, changed elsewhere", why: "an update of another field", schema: unchangedRules, root: true, valid: true,
			object: `{spec: {things: [{name: bad, kind: b}]}, other: x}`, old: `{spec: {things: [{name: bad, kind: b}]}}`},
		{name: "unchanged rules, changed beside", why: "another list in the spec", schema: unchangedRules, root: true,
			object: `{spec: {things: [{name: bad, kind: b}], grown: [bad]}}`, old: `{spec: {things: [{name: bad, kind: b}], grown: [a]}}`},
		{name: "unchanged rules, changed inside", why: "an item changed, and with it the list", schema: unchangedRules, root: true,
			object: `{spec: {things: [{name: bad, kind: b, size: 1}]}}`, old: `{spec: {things: [{name: bad, kind: b}]}}`},
		{name: "unchanged rules, another order", why: "so did the list", schema: unchangedRules, root: true,
			object: `{spec: {things: [{name: bad, kind: b}, {name: c, kind: d}]}}`, old: `{spec: {things: [{name: c, kind: d}, {name: bad, kind: b}]}}`},
		{name: "unchanged rules, an unknown field", why: "what nothing is known of is not compared", schema: unchangedRules, root: true, valid: true,
			object: `{spec: {things: [{name: bad, kind: b, x: y}]}}`, old: `{spec: {things: [{name: bad, kind: b, x: y}]}}`},
		{name: "unchanged rules, does not fit", why: "schema errors are dropped, rules run on data of the wrong type", schema: unchangedRules, root: true,
			object: `{spec: {things: [{name: 1, kind: b}]}}`, old: `{spec: {things: [{name: 1, kind: b}]}}`},
		{name: "unchanged rules, map", why: "entries of a map", schema: unchangedRules, root: true, valid: true,
			object: `{spec: {named: {a: {up: false}, b: {}}}}`, old: `{spec: {named: {a: {up: false}, b: {}}}}`},
		{name: "unchanged rules, map that changed", why: "one entry did not", schema: unchangedRules, root: true, valid: true,
			object: `{spec: {named: {a: {up: false}, b: {}}}}`, old: `{spec: {named: {a: {up: false}}}}`},
		{name: "unchanged rules, keyed", why: "a list by keys", schema: unchangedRules, root: true, valid: true,
			object: `{spec: {keyed: [{name: bad}]}}`, old: `{spec: {keyed: [{name: bad}]}}`},
		{name: "unchanged rules, keyed in another order", why: "which is the same list", schema: unchangedRules, root: true, valid: true,
			object: `{spec: {keyed: [{name: bad}, {name: a}]}}`, old: `{spec: {keyed: [{name: a}, {name: bad}]}}`},
		{name: "unchanged rules, keyed and twice", why: "an item that is there twice", schema: unchangedRules, root: true, valid: true,
			object: `{spec: {keyed: [{name: bad}, {name: bad}]}}`, old: `{spec: {keyed: [{name: bad}, {name: bad}]}}`},
		{name: "unchanged rules, transition", why: "a transition rule runs", schema: unchangedRules, root: true, valid: true,
			object: `{spec: {grown: [bad]}}`, old: `{spec: {grown: [bad]}}`},
		{name: "unchanged rules, message", why: "what a rule would say is not made", schema: unchangedRules, root: true, valid: true,
			object: `{spec: {told: [a]}}`, old: `{spec: {told: [a]}}`},
		{name: "unchanged rules, null", why: "a list that is null", schema: unchangedRules, root: true, valid: true,
			object: `{spec: {things: null}}`, old: `{spec: {things: null}}`},
		{name: "unchanged defaults, a rule of an item, which has its default", why: "a rule of an item, which has its default", schema: unchangedDefaults, root: true, valid: true,
			object: `{own: [{kind: bad}], note: changed}`, old: `{own: [{kind: bad}]}`},
		{name: "unchanged defaults, and which has none", why: "and which has none", schema: unchangedDefaults, root: true,
			object: `{own: [{}], note: changed}`, old: `{own: [{}]}`},
		{name: "unchanged defaults, one of several has none", why: "one of several has none", schema: unchangedDefaults, root: true,
			object: `{own: [{kind: a}, {}, {kind: b}], note: changed}`, old: `{own: [{kind: a}, {}, {kind: b}]}`},
		{name: "unchanged defaults, a default that is null", why: "a default that is null", schema: unchangedDefaults, root: true,
			object: `{own: [{kind: null}], note: changed}`, old: `{own: [{kind: null}]}`},
		{name: "unchanged defaults, a rule of what is in an item", why: "a rule of what is in an item", schema: unchangedDefaults, root: true, valid: true,
			object: `{below: [{in: {kind: bad}}], note: changed}`, old: `{below: [{in: {kind: bad}}]}`},
		{name: "unchanged defaults, whose default is missing", why: "whose default is missing", schema: unchangedDefaults, root: true,
			object: `{below: [{in: {kind: a}}, {in: {}}], note: changed}`, old: `{below: [{in: {kind: a}}, {in: {}}]}`},
		{name: "unchanged defaults, what needs it is missing itself", why: "what needs it is missing itself", schema: unchangedDefaults, root: true, valid: true,
			object: `{below: [{}], note: changed}`, old: `{below: [{}]}`},
		{name: "unchanged defaults, a rule of all items", why: "a rule of all items", schema: unchangedDefaults, root: true, valid: true,
			object: `{items: [{kind: a}, {kind: bad}], note: changed}`, old: `{items: [{kind: a}, {kind: bad}]}`},
		{name: "unchanged defaults, the first of which has no default", why: "the first of which has no default", schema: unchangedDefaults, root: true,
			object: `{items: [{}, {kind: a}], note: changed}`, old: `{items: [{}, {kind: a}]}`},
		{name: "unchanged defaults, the last of which has none", why: "the last of which has none", schema: unchangedDefaults, root: true,
			object: `{items: [{kind: a}, {}], note: changed}`, old: `{items: [{kind: a}, {}]}`},
		{name: "unchanged defaults, there are no items", why: "there are no items", schema: unchangedDefaults, root: true, valid: true,
			object: `{items: [], note: changed}`, old: `{items: []}`},
		{name: "unchanged defaults, a rule of all entries", why: "a rule of all entries", schema: unchangedDefaults, root: true, valid: true,
			object: `{values: {a: {kind: a}, b: {kind: bad}}, note: changed}`, old: `{values: {a: {kind: a}, b: {kind: bad}}}`},
		{name: "unchanged defaults, one of which has no default", why: "one of which has no default", schema: unchangedDefaults, root: true,
			object: `{values: {a: {kind: a}, b: {}, c: {kind: a}}, note: changed}`, old: `{values: {a: {kind: a}, b: {}, c: {kind: a}}}`},
		{name: "unchanged defaults, none of which has one", why: "none of which has one", schema: unchangedDefaults, root: true,
			object: `{values: {a: {}}, note: changed}`, old: `{values: {a: {}}}`},
		{name: "unchanged defaults, a rule of something that may be there", why: "a rule of something that may be there", schema: unchangedDefaults, root: true, valid: true,
			object: `{inner: [{of: {kind: bad}}], note: changed}`, old: `{inner: [{of: {kind: bad}}]}`},
		{name: "unchanged defaults, which has no default", why: "which has no default", schema: unchangedDefaults, root: true,
			object: `{inner: [{of: {}}], note: changed}`, old: `{inner: [{of: {}}]}`},
		{name: "unchanged defaults, which is not there", why: "which is not there", schema: unchangedDefaults, root: true, valid: true,
			object: `{inner: [{}], note: changed}`, old: `{inner: [{}]}`},
		{name: "unchanged defaults, which is null", why: "which is null", schema: unchangedDefaults, root: true, valid: true,
			object: `{inner: [{of: null}], note: changed}`, old: `{inner: [{of: null}]}`},
		{name: "unchanged defaults, a rule of a branch that is false", why: "a rule of a branch that is false", schema: unchangedDefaults, root: true, valid: true,
			object: `{joined: [{wait: 2h}], note: changed}`, old: `{joined: [{wait: 2h}]}`},
		{name: "unchanged defaults, a rule of a branch that breaks", why: "a rule of a branch that breaks", schema: unchangedDefaults, root: true,
			object: `{joined: [{wait: x}], note: changed}`, old: `{joined: [{wait: x}]}`},
		{name: "unchanged unknown, pattern", why: "a scalar that did not change", schema: unchangedUnknown, root: true, valid: true,
			object: `{spec: {size: 1, name: b}}`, old: `{spec: {size: 1, name: b}}`},
		{name: "unchanged unknown, required", why: "all is known, so the map did not change", schema: unchangedUnknown, root: true, valid: true,
			object: `{spec: {name: b}}`, old: `{spec: {name: b}}`},
		{name: "unchanged unknown, required, unknown", why: "a map with an entry that no schema knows is never the same", schema: unchangedUnknown, root: true,
			object: `{spec: {name: a, other: 1}}`, old: `{spec: {name: a, other: 1}}`},
		{name: "unchanged unknown, required, unknown deeper", why: "nor is one that has such a map in it", schema: unchangedUnknown, root: true,
			object: `{spec: {name: a, free: {other: 1}}}`, old: `{spec: {name: a, free: {other: 1}}}`},
		{name: "unchanged unknown, pattern, unknown", why: "a scalar has its own old value, whatever is beside it", schema: unchangedUnknown, root: true, valid: true,
			object: `{spec: {size: 1, name: b, other: 1}}`, old: `{spec: {size: 1, name: b, other: 1}}`},
		{name: "unchanged unknown, labels", why: "additionalProperties knows all names", schema: unchangedUnknown, root: true, valid: true,
			object: `{spec: {size: 1, labels: {a: x, b: y}}}`, old: `{spec: {size: 1, labels: {a: x, b: y}}}`},
		{name: "unchanged unknown, labels that are maps", why: "but not what is in a map that should be a text", schema: unchangedUnknown, root: true,
			object: `{spec: {labels: {a: {b: x}}}}`, old: `{spec: {labels: {a: {b: x}}}}`},
		{name: "unchanged unknown, plain list", why: "a list that is no map is compared as a whole, unknown entries or not", schema: unchangedUnknown, root: true, valid: true,
			object: `{spec: {size: 1, plain: [{b: x}, {}]}}`, old: `{spec: {size: 1, plain: [{b: x}, {}]}}`},
		{name: "unchanged unknown, keyed list", why: "each item is found by its key", schema: unchangedUnknown, root: true, valid: true,
			object: `{spec: {size: 1, keyed: [{k: x}, {k: z}]}}`, old: `{spec: {size: 1, keyed: [{k: x}, {k: z}]}}`},
		{name: "unchanged unknown, keyed list, twice", why: "the second item has the first one as its old value", schema: unchangedUnknown, root: true,
			object: `{spec: {size: 1, keyed: [{k: x, a: a}, {k: x}]}}`, old: `{spec: {size: 1, keyed: [{k: x, a: a}, {k: x}]}}`},
		{name: "unchanged unknown, keyed list, no key", why: "an item without its key has no old value", schema: unchangedUnknown, root: true,
			object: `{spec: {size: 1, keyed: [{a: a}, {k: x}]}}`, old: `{spec: {size: 1, keyed: [{a: a}, {k: x}]}}`},
		{name: "unchanged unknown, keyed list, unknown", why: "the item has an entry that is not known, but is found", schema: unchangedUnknown, root: true,
			object: `{spec: {size: 1, keyed: [{k: x, inner: {c: x}}]}}`, old: `{spec: {size: 1, keyed: [{k: x, inner: {c: x}}]}}`},
		{name: "unchanged unknown, keyed list of texts", why: "what is no object is not found by a key", schema: unchangedUnknown, root: true,
			object: `{spec: {size: 1, keyed: [x]}}`, old: `{spec: {size: 1, keyed: [x]}}`},
		{name: "unchanged unknown, a map for an integer", why: "which may have entries that are not known", schema: unchangedUnknown, root: true,
			object: `{spec: {size: {a: 1}}}`, old: `{spec: {size: {a: 1}}}`},
		{name: "unchanged unknown, an empty map for an integer", why: "which has none", schema: unchangedUnknown, root: true, valid: true,
			object: `{spec: {size: {}}}`, old: `{spec: {size: {}}}`},
	}
}

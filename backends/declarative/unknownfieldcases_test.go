package declarative_test

// unknownFields has an object with undeclared fields.
const unknownFields = `
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
        items: {type: object, required: [a], properties: {k: {type: string}, a: {type: string}, inner: {type: object, ` +
	`required: [b], properties: {b: {type: string}}}}}
  status: {type: object, properties: {name: {type: string, pattern: '^b'}}}
`

// unknownFieldCases are updates that change nothing. A map with an undeclared entry never equals its old
// value.
func unknownFieldCases() []differentialCase {
	same := func(name, why string, valid bool, object string) differentialCase {
		return differentialCase{name: "unchanged " + name, why: why, schema: unknownFields, root: true, valid: valid, object: object,
			old: object}
	}
	return []differentialCase{
		same("pattern", "a scalar that did not change", true, `{spec: {size: 1, name: b}}`),
		same("required", "all is known, so the map did not change", true, `{spec: {name: b}}`),
		same("required, unknown", "a map with an entry that no schema knows is never the same", false, `{spec: {name: a, other: 1}}`),
		same("required, unknown deeper", "nor is one that has such a map in it", false, `{spec: {name: a, free: {other: 1}}}`),
		same("pattern, unknown", "a scalar has its own old value, whatever is beside it", true, `{spec: {size: 1, name: b, other: 1}}`),
		same("labels", "additionalProperties knows all names", true, `{spec: {size: 1, labels: {a: x, b: y}}}`),
		same("labels that are maps", "but not what is in a map that should be a text", false, `{spec: {labels: {a: {b: x}}}}`),
		same("plain list", "a list that is no map is compared as a whole, unknown entries or not", true,
			`{spec: {size: 1, plain: [{b: x}, {}]}}`),
		same("keyed list", "each item is found by its key", true, `{spec: {size: 1, keyed: [{k: x}, {k: z}]}}`),
		same("keyed list, twice", "the second item has the first one as its old value", false,
			`{spec: {size: 1, keyed: [{k: x, a: a}, {k: x}]}}`),
		same("keyed list, no key", "an item without its key has no old value", false, `{spec: {size: 1, keyed: [{a: a}, {k: x}]}}`),
		same("keyed list, unknown", "the item has an entry that is not known, but is found", false,
			`{spec: {size: 1, keyed: [{k: x, inner: {c: x}}]}}`),
		same("keyed list of texts", "what is no object is not found by a key", false, `{spec: {size: 1, keyed: [x]}}`),
		same("a map for an integer", "which may have entries that are not known", false, `{spec: {size: {a: 1}}}`),
		same("an empty map for an integer", "which has none", true, `{spec: {size: {}}}`),
	}
}

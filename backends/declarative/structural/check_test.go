package structural_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/backends/declarative/structural"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// Schemas and the mistakes that KEP-2335 finds in them, in its own notation.
var checks = []struct {
	name, why, schema string
	want              []string
	native            bool // apiextensions-apiserver does not know the feature of the row
}{{
	name: "the proposal's message", why: "each value that the schema specifies has a type",
	schema: `{type: object, properties: {foo: {type: array, items: {type: object, properties: {bar: {pattern: abc}}}}}}`,
	want:   []string{".properties[foo].items.properties[bar].type must be non-empty"},
}, {
	name: "a pattern to avoid", why: "the proposal's first example: the type of bar is known only to anyOf",
	schema: `{type: object, properties: {foo: {type: string}, bar: {type: integer, minimum: 42}},
	  anyOf: [{properties: {foo: {pattern: abc}, bar: {type: string}}}, {properties: {bar: {type: integer, minimum: 1, maximum: 0}}}]}`,
	want: []string{
		".anyOf[0].properties[bar].type must be empty to be structural",
		".anyOf[1].properties[bar].type must be empty to be structural",
	},
}, {
	name: "all at once", why: "no mistake hides another",
	schema: `{properties: {a: {}, b: {type: array}, c: {type: object, additionalProperties: {}}}, additionalProperties: true}`,
	want: []string{
		".additionalProperties must not be used at the root", ".properties[a].type must be non-empty",
		".properties[b].items must be specified",
		".properties[c].additionalProperties.type must be non-empty", ".type must be non-empty",
	},
}, {
	name: "specified only by a junctor", why: "fields, items and their contents must be specified outside",
	schema: `{type: object, properties: {a: {type: array, items: {type: object}}}, oneOf: [{properties: {a: {items: ` +
		`{properties: {b: {minimum: 1}}}}, c: {maxLength: 1}}}],
	  not: {required: [d], properties: {d: {items: {maximum: 1}}}}}`,
	want: []string{
		".properties[a].items.properties[b] must be specified because it is defined in oneOf[0].properties[a].items.properties[b]",
		".properties[c] must be specified because it is defined in oneOf[0].properties[c]",
		".properties[d] must be specified because it is defined in not.properties[d]",
	},
}, {
	name: "forbidden under junctors", why: "generic fields and extensions are structure",
	schema: `{type: object, properties: {a: {type: object}}, allOf: [{properties: {a: {description: d, title: t, nullable: ` +
		`true, default: {}, additionalProperties: true,
	  x-kubernetes-preserve-unknown-fields: true, x-kubernetes-embedded-resource: true, x-kubernetes-int-or-string: true, ` +
		`x-kubernetes-map-type: atomic,
	  x-kubernetes-list-type: map, x-kubernetes-list-map-keys: [k], x-kubernetes-validations: [{rule: "true"}]}}}]}`,
	want: []string{
		".allOf[0].properties[a].additionalProperties must be undefined to be structural",
		".allOf[0].properties[a].default must be undefined to be structural",
		".allOf[0].properties[a].description must be empty to be structural",
		".allOf[0].properties[a].nullable must be false to be structural",
		".allOf[0].properties[a].title must be empty to be structural", ".allOf[0].properties[a].x-kubernetes-embedded-resource " +
			"must be false to be structural",
		".allOf[0].properties[a].x-kubernetes-int-or-string must be false to be structural",
		".allOf[0].properties[a].x-kubernetes-list-map-keys must be empty to be structural",
		".allOf[0].properties[a].x-kubernetes-list-type must be undefined to be structural",
		".allOf[0].properties[a].x-kubernetes-map-type must be undefined to be structural",
		".allOf[0].properties[a].x-kubernetes-preserve-unknown-fields must be false to be structural",
		".allOf[0].properties[a].x-kubernetes-validations must be empty to be structural",
	},
}, {
	name: "additionalProperties false under a junctor", why: "false has no effect on the structure",
	schema: `{type: object, anyOf: [{additionalProperties: false}]}`,
}, {
	name: "int-or-string, first pattern", why: "anyOf of the two types is allowed",
	schema: `{type: object, properties: {a: {x-kubernetes-int-or-string: true, anyOf: [{type: integer}, {type: string}]}}}`,
}, {
	name: "int-or-string, second pattern", why: "so it is in the first element of allOf, with more keywords",
	schema: `{type: object, properties: {a: {x-kubernetes-int-or-string: true, allOf: [{anyOf: [{type: integer}, {type: ` +
		`string}]}, {pattern: abc}]}}}`,
}, {
	name: "int-or-string, the other way round", why: "the order of the pattern is fixed",
	schema: `{type: object, properties: {a: {x-kubernetes-int-or-string: true, anyOf: [{type: string}, {type: integer}]}}}`,
	want: []string{
		".properties[a].anyOf[0].type must be empty to be structural",
		".properties[a].anyOf[1].type must be empty to be structural",
	},
}, {
	name: "int-or-string, second element", why: "only the first element of allOf may be the pattern",
	schema: `{type: object, properties: {a: {x-kubernetes-int-or-string: true, allOf: [{pattern: abc}, {anyOf: [{type: ` +
		`integer}, {type: string}]}]}}}`,
	want: []string{
		".properties[a].allOf[1].anyOf[0].type must be empty to be structural",
		".properties[a].allOf[1].anyOf[1].type must be empty to be structural",
	},
}, {
	name: "int-or-string with other extensions", why: "a value is one of the three",
	schema: `{type: object, properties: {a: {type: object, x-kubernetes-int-or-string: true, x-kubernetes-preserve-unknown-fields: ` +
		`true, x-kubernetes-embedded-resource: true}}}`,
	want: []string{
		".properties[a].x-kubernetes-embedded-resource must be false if x-kubernetes-int-or-string is true",
		".properties[a].x-kubernetes-preserve-unknown-fields must be false if x-kubernetes-int-or-string is true",
	},
}, {
	name: "embedded resources", why: "one is an object with fields, or with unknown ones",
	schema: `{type: object, properties: {a: {x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: ` +
		`true}, b: {type: array, items: {type: object}, x-kubernetes-embedded-resource: true, properties: {x: {type: string}}},
	  c: {type: object, x-kubernetes-embedded-resource: true, additionalProperties: {type: string}}, d: {type: object, ` +
		`x-kubernetes-embedded-resource: true, properties: {apiVersion: {type: integer}, kind: {type: object}, metadata: {type: ` +
		`string}}}}}`,
	want: []string{
		".properties[a].type must be object if x-kubernetes-embedded-resource is true",
		".properties[b].type must be object if x-kubernetes-embedded-resource is true",
		".properties[c].additionalProperties must not be used if x-kubernetes-embedded-resource is set",
		".properties[c].properties must not be empty if x-kubernetes-embedded-resource is true without " +
			"x-kubernetes-preserve-unknown-fields",
		".properties[d].properties[apiVersion].type must be string", ".properties[d].properties[kind].type must be string",
		".properties[d].properties[metadata].type must be object",
	},
}, {
	name: "metadata at the root", why: "name and generateName may be restricted, with any schema",
	schema: `{type: object, properties: {metadata: {type: object, properties: {name: {type: string, pattern: abc}, ` +
		`generateName: {type: string, maxLength: 3}}}}}`,
}, {
	name: "more metadata at the root", why: "nothing else may be",
	schema: `{type: object, properties: {metadata: {type: object, properties: {name: {type: string}, labels: {type: object}}}}}`,
	want: []string{".properties[metadata] must not specify anything other than name and generateName, but metadata is " +
		"implicitly specified"},
}, {
	name: "required in metadata at the root", why: "a value validation of metadata is not allowed either",
	schema: `{type: object, properties: {metadata: {type: object, required: [name]}}}`,
	want: []string{".properties[metadata] must not specify anything other than name and generateName, but metadata is " +
		"implicitly specified"},
}, {
	name: "metadata in a junctor", why: "it could restrict metadata from below",
	schema: `{type: object, properties: {metadata: {type: object}}, anyOf: [{properties: {metadata: {}}}]}`,
	want:   []string{".anyOf[0].properties[metadata] must not be specified in a nested context"},
}, {
	name: "an invalid pattern", why: "the API server compiles it here",
	schema: `{type: object, properties: {a: {type: string, pattern: "("}}}`,
	want:   []string{".properties[a].pattern must be a valid regular expression, but isn't: error parsing regexp: missing closing ): `(`"},
}, {
	name: "keywords of other schema languages", why: "references and pattern properties are no structure",
	schema: `{type: object, properties: {a: {$ref: "#/definitions/A"}, b: {type: object, patternProperties: {x: {type: ` +
		`string}}}}, definitions: {A: {type: string}}}`,
	want: []string{
		".definitions definitions is not supported", ".properties[a].$ref $ref is not supported", ".properties[a].type must be non-empty",
		".properties[b].patternProperties patternProperties is not supported",
	}, native: true,
}, {
	name: "references to the whole document", why: "the library shows them as none",
	schema: `{type: object, properties: {a: {type: object, $ref: "#"}, b: {type: object, $ref: ""}}}`,
	want:   []string{".properties[a].$ref $ref is not supported", ".properties[b].$ref $ref is not supported"},
}, {
	name: "a union", why: "its fields and discriminator must be declared",
	schema: `{type: object, properties: {type: {type: integer}, a: {type: object}}, x-kubernetes-unions: [{discriminator: ` +
		`type, fields: {a: A, b: B}}, {fields: {a: A}}, {discriminator: kind, fields: {a: A}}, {}]}`,
	want: []string{
		".properties[b] must be specified because it is defined in x-kubernetes-unions[0]",
		".properties[kind] must be specified because it is the discriminator of x-kubernetes-unions[2]",
		".properties[type].type must be string, because it is the discriminator of x-kubernetes-unions[0]",
		".x-kubernetes-unions[1].fields[a] must be empty without a discriminator",
		".x-kubernetes-unions[3].fields a union needs the fields that exclude each other",
	}, native: true,
}, {
	name: "a junctor inside", why: "completeness holds at every level; apiextensions-apiserver looks only at the root's junctors",
	schema: `{type: object, properties: {a: {type: object, anyOf: [{properties: {b: {minimum: 1}}}]}, l: {type: array, ` +
		`items: {type: object, not: {properties: {c: {}}}}}, m: {type: object, additionalProperties: {type: object, oneOf: ` +
		`[{properties: {d: {}}}]}}}}`,
	want: []string{
		".properties[a].properties[b] must be specified because it is defined in properties[a].anyOf[0].properties[b]",
		".properties[l].items.properties[c] must be specified because it is defined in properties[l].items.not.properties[c]",
		".properties[m].additionalProperties.properties[d] must be specified because it is defined in " +
			"properties[m].additionalProperties.oneOf[0].properties[d]",
	},
}, {
	name: "an extension of the wrong type", why: "it is named, not ignored",
	schema: `{type: object, x-kubernetes-list-type: 5}`, native: true,
	want: []string{".x-kubernetes-list-type cannot be read: json: cannot unmarshal number into Go value of type string"},
}}

func TestCheck(t *testing.T) {
	for _, tt := range checks {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, e := range structural.Check(served.Schema(t, tt.schema)) {
				got = append(got, structural.Message(e))
			}
			if diff := cmp.Diff(sortedCopy(tt.want), sortedCopy(got)); diff != "" {
				t.Errorf("%s: want against got:\n%s", tt.why, diff)
			}
			if !tt.native {
				checkReference(t, served.Props(t, tt.schema))
			}
		})
	}
}

package declared_test

import (
	"slices"
	"testing"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/internal/declared"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/internal/testing/served"
)

var _ difference.Declarations = declared.Schema{}

const root = `
type: object
properties:
  spec:
    allOf: [{$ref: "#/definitions/spec"}, {required: [size]}]
  open: {type: object, x-kubernetes-preserve-unknown-fields: true}
  anything: {}
  sizes: {type: object, additionalProperties: {x-kubernetes-int-or-string: true}}
  labels: {type: object, additionalProperties: {type: string, maxLength: 63}}
  mixed: {type: object, properties: {a: {type: integer}}, additionalProperties: {type: string}}
  union:
    type: object
    properties: {common: {type: string}}
    anyOf: [{properties: {any: {type: object, properties: {x: {type: string}}}}}, {not: {properties: {never: {}}}}]
    oneOf: [{allOf: [{properties: {one: {}}}]}]
  dotted:
    type: object
    properties:
      a.b: {type: number, minimum: 1}
      a: {type: object, properties: {b: {type: integer, minimum: 2}, c: {type: integer}}}
      only.dots: {type: array, items: {type: integer}}
`

const definition = `
type: object
properties:
  size:
    type: integer
    minimum: 1
    allOf: [{maximum: 5}, {minimum: 2}, {maximum: 7, exclusiveMaximum: true}]
    anyOf: [{multipleOf: 3}]
  ports:
    type: array
    x-kubernetes-list-type: map
    x-kubernetes-list-map-keys: [port, protocol]
    items: {type: object, properties: {port: {type: integer, format: int32}}}
  next: {$ref: "#/definitions/spec"}
  slash: {$ref: "#/components/schemas/a~1b"}
  document: {$ref: "#", properties: {a: {type: integer}}}
  nowhere: {$ref: "#/definitions/none", properties: {a: {type: integer}}}
`

func schema(t *testing.T) declared.Schema {
	t.Helper()
	return declared.Schema{
		Root:        served.Schema(t, root),
		Definitions: map[string]*spec.Schema{"spec": served.Schema(t, definition), "a/b": served.Schema(t, `{type: string, maxLength: 3}`)},
	}
}

func TestKeyword(t *testing.T) {
	for _, test := range []struct {
		why, path, keyword string
		want               []string
	}{
		{"the node and its allOf must all hold", "spec.size", "minimum", []string{"1", "2"}},
		{"an exclusive bound is no inclusive one", "spec.size", "maximum", []string{"5"}},
		{"it is a field of its own", "spec.size", "exclusiveMaximum", []string{"7"}},
		{"a branch of an anyOf need not hold", "spec.size", "multipleOf", nil},
		{"after a $ref", "spec.ports[3].port", "format", []string{"int32"}},
		{"after a cycle of them", "spec.next.next.ports[0].port", "type", []string{"integer"}},
		{"after one to a name with a slash", "spec.slash", "maxLength", []string{"3"}},
		{"the keys of an item's list", "spec.ports[3]", "x-kubernetes-list-map-keys", []string{"port,protocol"}},
		{"and of the list", "spec.ports", "x-kubernetes-list-map-keys", []string{"port,protocol"}},
		{"an entry of a map, its key in brackets", "labels[example.com/a]", "maxLength", []string{"63"}},
		{"or after a dot", "labels.a", "maxLength", []string{"63"}},
		{"an entry that is a property, whatever the path looks like", "mixed[a]", "type", []string{"integer"}},
		{"an entry that is not one", "mixed[b]", "type", []string{"string"}},
		{"a path that may belong to two fields is no evidence", "dotted.a.b", "type", nil},
		{"a different path belongs to one field", "dotted.a.c", "type", []string{"integer"}},
		{"a name with dots", "dotted.only.dots[3]", "type", []string{"integer"}},
		{"a keyword that is true", "sizes[cpu]", "x-kubernetes-int-or-string", []string{"true"}},
		{"a keyword that is not there", "spec.size", "x-kubernetes-int-or-string", nil},
		{"a keyword that is not known", "spec.size", "title", nil},
		{"a field that is not declared", "spec.color", "type", nil},
		{"the root", "<nil>", "type", []string{"object"}},
	} {
		if got := schema(t).Keyword(test.path, test.keyword); !slices.Equal(got, test.want) {
			t.Errorf("%s: %s of %s is %q, want %q", test.why, test.keyword, test.path, got, test.want)
		}
	}
}

func TestDeclares(t *testing.T) {
	for _, test := range []struct {
		why, path string
		want      bool
	}{
		{"the root", "", true},
		{"a property", "spec.size", true},
		{"a property that is not there", "spec.color", false},
		{"below one that is not there", "spec.color.red", false},
		{"below a scalar", "spec.size.unit", false},
		{"a key of an object that has properties", "spec[size]", false},
		{"any key of a map", "labels[x]", true},
		{"a field of a branch", "union.any.x", true},
		{"a field of a nested branch", "union.one", true},
		{"a forbidden field", "union.never", true},
		{"a field that no branch has", "union.none", false},
		{"a name with dots", "dotted.only.dots", true},
		{"either of two fields", "dotted.a.b", true},
		{"a part of a name", "dotted.only", false},
		{"a field of every resource", "metadata.labels[a]", true},
		{"its kind", "kind", true},
		{"a field of every resource has no nested ones", "labels.metadata.name", false},
		{"anything that is preserved", "open.x.y[0]", true},
		{"anything below a $ref to the document", "spec.document.b", true},
		{"anything below a $ref to nothing", "spec.nowhere.b", true},
		{"anything without a schema", "anything.x[0]", true},
	} {
		if got := schema(t).Declares(test.path); got != test.want {
			t.Errorf("%s: %q: %t", test.why, test.path, got)
		}
	}
}

// A rule may state that hand-written code reports a field below metadata at a wrong place only if the schema
// knows that metadata does not have the field.
func TestDeclaresMetadata(t *testing.T) {
	const (
		described = `{properties: {metadata: {properties: {name: {type: string}, ownerReferences: {}, labels: ` +
			`{additionalProperties: {}}}}}}`
		restricted = `{properties: {metadata: {properties: {name: {type: string}}}}}`
	)
	for _, test := range []struct {
		why, schema, path string
		want              bool
	}{
		{"a field of metadata that the schema describes", described, "metadata.labels[a]", true},
		{"metadata itself", described, "metadata", true},
		{"a field that it does not have", described, "metadata.taints[0].key", false},
		{"a custom resource restricts the name, and metadata has other fields", restricted, "metadata.labels[a]", true},
	} {
		if got := (declared.Schema{Root: served.Schema(t, test.schema)}).Declares(test.path); got != test.want {
			t.Errorf("%s: %q: %t", test.why, test.path, got)
		}
	}
}

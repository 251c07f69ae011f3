package graph

import (
	"reflect"
	"slices"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/openapi"
)

// The schema of a CustomResourceDefinition has no references, so it repeats types such as
// containers, quantities and selectors. Equal schemas share one node, which is compiled and stored
// once. Without sharing, compiling the definition of Prometheus takes twice as long.
//
// Two kinds of schemas are not shared: schemas with rules in them, because rules are counted and
// reported by their places, and branches of allOf, anyOf, oneOf and not, because they belong to
// the schema around them.

// sharedSchema is a compiled schema and its node.
type sharedSchema struct {
	schema *spec.Schema
	parts  parts
	node   *Node
}

// sharingKey is a key for schemas: equal schemas have equal keys, and most others do not.
type sharingKey struct {
	typ, format, pattern string
	properties, enum     int
	bounds               int64 // the sum of all
	items, additional    *Node
}

// shared returns the node of a schema, or that of an equal schema compiled before.
func (c *compiler) shared(s *spec.Schema) *Node {
	in := c.parts(nil, s)
	key := in.sharingKey(s)
	for _, known := range c.same[key] {
		if sameParts(&in, s, &known) && sameSchema(s, known.schema) {
			return known.node
		}
	}
	mistakes, ignored := len(c.mistakes), len(c.ignored)
	n := c.newNode()
	c.fill(n, s, in)
	_, ruled := s.Extensions["x-kubernetes-validations"]
	if !ruled && mistakes == len(c.mistakes) && ignored == len(c.ignored) { // mistakes are reported at each place
		c.same[key] = append(c.same[key], sharedSchema{s, in, n})
	}
	return n
}

func (in *parts) sharingKey(s *spec.Schema) sharingKey {
	made := sharingKey{
		format:     s.Format,
		pattern:    s.Pattern,
		properties: len(in.names),
		enum:       len(s.Enum),
		items:      in.items,
		additional: in.additional,
	}
	if len(s.Type) > 0 {
		made.typ = s.Type[0]
	}
	for _, bound := range [...]*int64{s.MaxLength, s.MinLength, s.MaxItems, s.MinItems, s.MaxProperties, s.MinProperties} {
		if bound != nil {
			made.bounds += *bound
		}
	}
	return made
}

// sameParts reports whether the properties of two schemas have the same nodes. Defaults matter
// too: rules see a property with a default as optional (see fields).
func sameParts(in *parts, s *spec.Schema, known *sharedSchema) bool {
	if !slices.Equal(in.properties, known.parts.properties) || !slices.Equal(in.names, known.parts.names) {
		return false
	}
	return !slices.ContainsFunc(in.names, func(name string) bool {
		return (s.Properties[name].Default != nil) != (known.schema.Properties[name].Default != nil)
	})
}

// sameSchema reports whether two schemas have the same keywords, apart from their parts and from
// keywords for people, such as description.
func sameSchema(a, b *spec.Schema) bool {
	return a.Nullable == b.Nullable && a.UniqueItems == b.UniqueItems &&
		a.ExclusiveMaximum == b.ExclusiveMaximum && a.ExclusiveMinimum == b.ExclusiveMinimum &&
		a.Format == b.Format && a.Pattern == b.Pattern && slices.Equal(a.Type, b.Type) && slices.Equal(a.Required, b.Required) &&
		same(a.Maximum, b.Maximum) && same(a.Minimum, b.Minimum) && same(a.MultipleOf, b.MultipleOf) &&
		same(a.MaxLength, b.MaxLength) && same(a.MinLength, b.MinLength) && same(a.MaxItems, b.MaxItems) &&
		same(a.MinItems, b.MinItems) && same(a.MaxProperties, b.MaxProperties) && same(a.MinProperties, b.MinProperties) &&
		sameEntries(a.AdditionalProperties, b.AdditionalProperties) && openapi.Ref(a) == openapi.Ref(b) &&
		(a.Items == nil) == (b.Items == nil) &&
		(plain(a) && plain(b) || sameRest(a, b))
}

func same[T comparable](a, b *T) bool { return a == b || a != nil && b != nil && *a == *b }

func sameEntries(a, b *spec.SchemaOrBool) bool {
	return (a == nil) == (b == nil) && (a == nil || a.Allows == b.Allows)
}

// plain reports whether a schema has none of the keywords that sameRest compares.
func plain(s *spec.Schema) bool {
	return s.Enum == nil && s.AllOf == nil && s.AnyOf == nil && s.OneOf == nil && s.Not == nil && s.Extensions == nil &&
		s.AdditionalItems == nil && s.PatternProperties == nil && s.Dependencies == nil
}

// sameRest compares the keywords that few schemas have.
func sameRest(a, b *spec.Schema) bool {
	for _, pair := range [...][2]any{
		{a.Enum, b.Enum}, {a.AllOf, b.AllOf}, {a.AnyOf, b.AnyOf}, {a.OneOf, b.OneOf}, {a.Not, b.Not}, {a.Extensions, b.Extensions},
		{a.AdditionalItems, b.AdditionalItems}, {a.PatternProperties, b.PatternProperties}, {a.Dependencies, b.Dependencies},
	} {
		if !reflect.DeepEqual(pair[0], pair[1]) {
			return false
		}
	}
	return true
}

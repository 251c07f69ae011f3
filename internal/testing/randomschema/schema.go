// Package randomschema makes random structural schemas with every keyword that the API server knows,
// including CEL rules. Tests compare validators with them.
package randomschema

import (
	"maps"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/diffrun/diffrun/internal/explore/generate"
)

// props is a schema of a CustomResourceDefinition.
type props = apiextensionsv1.JSONSchemaProps

// Options limit the schemas that Make makes. The zero value makes a small schema that the
// API server stores.
type Options struct {
	// Depth is the maximum depth of a schema. Zero means 4.
	Depth int
	// Nodes is the maximum number of values that a schema describes. Zero means 24.
	Nodes int
	// WithoutRules leaves out x-kubernetes-validations.
	WithoutRules bool
	// Unadmitted also uses keywords that validators know and the API server does not store:
	// uniqueItems, additionalProperties beside properties, rules below allOf.
	Unadmitted bool
}

// Make makes a structural schema of a resource's root: an object with implicit apiVersion, kind
// and metadata. Its rules compile.
func Make(src generate.Source, opts Options) *props {
	if opts.Depth == 0 {
		opts.Depth = 4
	}
	if opts.Nodes == 0 {
		opts.Nodes = 24
	}
	b := &builder{Dice: generate.Dice{Source: src}, opts: opts, nodes: opts.Nodes}
	root := b.fields(opts.Depth, true)
	if b.OneIn(6) {
		root.Properties["apiVersion"] = props{Type: "string"}
		root.Properties["kind"] = props{Type: "string", MaxLength: new(int64(8))}
	}
	b.extras(&root, true)
	root.Nullable = false // the API server refuses it at the root
	return &root
}

// builder makes one schema.
type builder struct {
	generate.Dice
	opts  Options
	nodes int // the number of schemas that may still be made
}

// node makes the schema of any value. Rules may use oldSelf if the value is correlated with an old
// one.
func (b *builder) node(depth int, correlates bool) props {
	b.nodes--
	kinds := []func() props{b.text, b.integer, b.number, b.boolean, b.intOrString}
	if depth > 1 && b.nodes > 0 {
		kinds = append(kinds,
			func() props { return b.fields(depth, correlates) }, func() props { return b.fields(depth, correlates) },
			func() props { return b.entries(depth, correlates) },
			func() props { return b.list(depth) }, func() props { return b.list(depth) },
			func() props { return b.set(depth) },
			func() props { return b.mapList(depth, correlates) }, func() props { return b.mapList(depth, correlates) },
			b.anything, func() props { return b.embedded(depth) })
	}
	s := generate.Pick(b.Dice, kinds...)()
	b.extras(&s, correlates)
	return s
}

// extras adds keywords that a schema of any type may have.
func (b *builder) extras(s *props, correlates bool) {
	s.Nullable = b.OneIn(7)
	if b.OneIn(4) {
		b.junctor(s, 2)
	}
	if !b.opts.WithoutRules && b.OneIn(3) && typed(s) {
		s.XValidations = b.rules(s, correlates)
		if b.opts.Unadmitted && b.OneIn(4) {
			s.AllOf = append(s.AllOf, props{XValidations: b.rules(s, correlates)})
		}
	}
	if b.OneIn(6) {
		s.Default = plainDefault(s)
	}
}

// plainDefault returns a default for a schema without keywords that it could break. The API server
// stores only valid defaults.
func plainDefault(s *props) *apiextensionsv1.JSON {
	if s.XValidations != nil || s.AllOf != nil || s.AnyOf != nil || s.OneOf != nil || s.Not != nil || s.Enum != nil {
		return nil
	}
	switch {
	case s.Type == "boolean":
		return jsonOf(true)
	case s.Type == "string" && s.Pattern == "" && s.Format == "" && s.MaxLength == nil && s.MinLength == nil:
		return jsonOf("ab")
	case s.Type == "array" && s.MinItems == nil:
		return jsonOf([]any{})
	default:
		return nil
	}
}

// fieldNames lists names of properties: plain ones, names that CEL escapes, and names that CEL
// cannot express.
func fieldNames() []string {
	return []string{"a", "b", "name", "size", "in", "a-b", "x.y", "__a", "namespace", "é", "items", "status"}
}

// fields makes an object with properties.
func (b *builder) fields(depth int, correlates bool) props {
	s := props{Type: "object", Properties: map[string]props{}}
	names := fieldNames()
	for range b.Between(1, 4) {
		if b.nodes <= 0 {
			break
		}
		name := generate.Pick(b.Dice, names...)
		if _, taken := s.Properties[name]; !taken {
			s.Properties[name] = b.node(depth-1, correlates)
		}
	}
	for _, name := range sortedNames(&s) {
		if b.OneIn(4) {
			s.Required = append(s.Required, name)
		}
	}
	b.sizes(&s.MinProperties, &s.MaxProperties, 12)
	switch {
	case b.OneIn(12):
		s.XPreserveUnknownFields = new(true)
	case b.OneIn(12):
		s.XMapType = new(generate.Pick(b.Dice, "atomic", "granular"))
	case b.opts.Unadmitted && b.OneIn(8) && depth != b.opts.Depth:
		s.AdditionalProperties = &apiextensionsv1.JSONSchemaPropsOrBool{Allows: false}
	}
	return s
}

// entries makes the schema of an object with arbitrary keys.
func (b *builder) entries(depth int, correlates bool) props {
	s := props{Type: "object", AdditionalProperties: &apiextensionsv1.JSONSchemaPropsOrBool{Allows: true}}
	if !b.OneIn(8) {
		s.AdditionalProperties.Schema = new(b.node(depth-1, correlates))
	}
	b.sizes(&s.MinProperties, &s.MaxProperties, 4)
	return s
}

// list makes the schema of a list whose items are not correlated with old ones.
func (b *builder) list(depth int) props {
	s := props{Type: "array", Items: items(b.node(depth-1, false))}
	if b.OneIn(4) {
		s.XListType = new("atomic")
	}
	s.UniqueItems = b.opts.Unadmitted && b.OneIn(6)
	b.sizes(&s.MinItems, &s.MaxItems, 3)
	return s
}

// set makes the schema of a list of type set: of scalars, or of atomic lists or objects.
func (b *builder) set(depth int) props {
	b.nodes--
	item := generate.Pick(b.Dice, b.text, b.integer, b.number, b.boolean)()
	switch {
	case b.OneIn(8) && depth > 2:
		item = props{Type: "array", XListType: new("atomic"), Items: items(b.integer())}
	case b.OneIn(8) && depth > 2:
		item = b.fields(2, false)
		item.XMapType = new("atomic")
	}
	s := props{Type: "array", XListType: new("set"), Items: items(item)}
	b.sizes(&s.MinItems, &s.MaxItems, 4)
	return s
}

// mapList makes the schema of a list of type map with one or two keys. A key is required or has a
// default.
func (b *builder) mapList(depth int, correlates bool) props {
	item := b.fields(depth-1, correlates)
	keys := []string{"id", "port"}[:b.Between(1, 2)]
	for i, key := range keys {
		field := generate.Pick(b.Dice, props{Type: "string"}, props{Type: "integer"}, props{Type: "boolean"}, props{Type: "number"})
		if i == 1 || b.OneIn(4) {
			field = props{Type: "string", Default: jsonOf("TCP")}
		} else {
			item.Required = append(item.Required, key)
		}
		item.Properties[key] = field
	}
	s := props{Type: "array", XListType: new("map"), XListMapKeys: slices.Clone(keys)}
	if !b.opts.WithoutRules && b.OneIn(3) {
		item.XValidations = b.rules(&item, correlates)
	}
	s.Items = items(item)
	b.sizes(&s.MinItems, &s.MaxItems, 4)
	return s
}

// anything makes a schema of values that the API server does not look into.
func (b *builder) anything() props {
	return generate.Pick(b.Dice,
		props{XPreserveUnknownFields: new(true)},
		props{Type: "object", XPreserveUnknownFields: new(true)})
}

// embedded makes the schema of an embedded resource.
func (b *builder) embedded(depth int) props {
	s := props{Type: "object", XEmbeddedResource: true}
	if b.OneIn(2) {
		s.Properties = map[string]props{"spec": b.node(depth-1, false)}
	}
	if s.Properties == nil || b.OneIn(2) {
		s.XPreserveUnknownFields = new(true)
	}
	return s
}

// sizes sets a lower and an upper bound, each once in a few times. Sometimes nothing satisfies
// both.
func (b *builder) sizes(least, most **int64, once int) {
	if b.OneIn(once) {
		*least = new(int64(b.Between(0, 2)))
	}
	if b.OneIn(once) {
		*most = new(int64(b.Between(0, 3)))
	}
}

func items(s props) *apiextensionsv1.JSONSchemaPropsOrArray {
	return &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &s}
}

func sortedNames(s *props) []string { return slices.Sorted(maps.Keys(s.Properties)) }

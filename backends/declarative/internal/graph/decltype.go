package graph

import (
	"slices"

	"k8s.io/apimachinery/pkg/util/validation"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/internal/cel/types"
)

// The types that rules see follow k8s.io/apiserver/pkg/cel/common (SchemaDeclType), but the
// graph may have cycles.

// describe makes the types of the nodes that rules can see. It makes all of them before it
// fills any, so a cycle needs no special case.
func (c *compiler) describe(root *Node) {
	for _, p := range c.pending {
		c.outline(c.seen(p.node))
	}
	for _, n := range c.definitions {
		if n.typ != nil {
			n.typ.Shared = true
		}
	}
	filled := make(map[*types.Type]bool, len(c.drafts))
	for i := range c.drafts {
		if n := c.drafts[i].node; n != nil && n.typ != nil {
			c.fillType(n, filled)
		}
	}
	clear(filled)
	for i := range c.drafts {
		n := c.drafts[i].node
		if n != nil && n.typ != nil && !filled[n.typ] && ((n == root && c.opts.Resource) || embeds(c.schema(n))) {
			filled[n.typ] = true
			withTypeAndObjectMeta(n.typ, c.schema(n))
		}
	}
}

// seen returns the node whose shape the rules of n see.
func (c *compiler) seen(n *Node) *Node {
	if declaring := c.declaring(n); declaring != nil {
		return declaring
	}
	return n
}

// outline makes the types of a node and of everything below it.
func (c *compiler) outline(n *Node) {
	if n == nil || n.typ != nil {
		return
	}
	s := c.typeOf(n)
	if p := c.schema(n); p != nil && len(p.Properties) > 0 || len(n.Referenced) > 0 {
		s.Name = c.name(n) // only objects are distinguished by it
	}
	n.typ = s
	for _, p := range n.Properties {
		c.outline(p)
	}
	c.outline(n.Additional)
	c.outline(n.Items)
	for _, base := range n.Referenced {
		c.outline(base)
	}
}

// fillType fills the type of a node from its schema and the targets of its references.
func (c *compiler) fillType(n *Node, filled map[*types.Type]bool) {
	if filled[n.typ] || c.schema(n) == nil {
		return
	}
	filled[n.typ] = true
	s, p := n.typ, c.schema(n)
	for _, base := range n.Referenced {
		c.fillType(base, filled)
		name, shared := s.Name, s.Shared
		*s = *base.typ
		if len(p.Properties) > 0 {
			s.Name, s.Shared = name, shared
		}
	}
	s.Nullable = n.Nullable
	if kind := c.kindOf(p); kind != types.None {
		s.Kind = kind
	}
	preserve, _ := p.Extensions.GetBool("x-kubernetes-preserve-unknown-fields")
	s.Opaque = s.Opaque || preserve
	switch s.Kind {
	case types.Object:
		s.Fields = c.fields(n, p, s.Fields)
	case types.Map:
		c.fillElem(s, n.Additional, p.MaxProperties)
	case types.List:
		c.fillElem(s, n.Items, p.MaxItems)
		c.fillListType(s, n, p)
	case types.String, types.Bytes, types.Dyn:
		s.URLBytes = c.opts.CustomResource
		if p.MaxLength != nil {
			s.Bound = p.MaxLength
		}
		for _, e := range p.Enum {
			if text, ok := e.(string); ok {
				s.Longest = max(s.Longest, int64(len(text)))
			}
		}
	}
}

func (c *compiler) fillElem(s *types.Type, elem *Node, bound *int64) {
	if elem != nil {
		s.Elem = elem.typ
	}
	if bound != nil {
		s.Bound = bound
	}
}

func (c *compiler) fillListType(s *types.Type, n *Node, p *spec.Schema) {
	switch typ, _ := p.Extensions.GetString("x-kubernetes-list-type"); typ {
	case "set":
		s.ListType = types.Set
	case "map":
		s.ListType, s.Keys = types.MapByKeys, n.listKeys
		if c.opts.CustomResource {
			s.Keys = escaped(n.listKeys)
		}
	}
}

// escaped returns the names of keys as rules write them. The API server looks up the keys
// of items by these names, so it finds no key whose name is escaped: to rules, all items of
// such a list have the same key (k8s.io/apiserver/pkg/cel/common, toMapKey).
func escaped(keys []string) []string {
	idents := slices.Clone(keys)
	for i, key := range keys {
		if ident, ok := apiservercel.Escape(key); ok {
			idents[i] = ident
		}
	}
	return idents
}

// kindOf returns the kind of values that a schema itself declares.
func (c *compiler) kindOf(p *spec.Schema) types.Kind {
	if c.opts.dialect().IntOrString(p) {
		return types.Dyn
	}
	if len(p.Type) == 0 {
		return types.None
	}
	switch p.Type[0] {
	case "array":
		if p.Items != nil && p.Items.Schema != nil {
			return types.List
		}
	case "object":
		if len(p.Properties) == 0 && p.AdditionalProperties != nil && p.AdditionalProperties.Schema != nil {
			return types.Map
		}
		return types.Object
	case "string":
		return textKind(p.Format)
	case "boolean":
		return types.Bool
	case "number":
		return types.Double
	case "integer":
		return types.Int
	}
	return types.None
}

func textKind(format string) types.Kind {
	switch format {
	case "byte":
		return types.Bytes
	case "duration":
		return types.Duration
	case "date":
		return types.Date
	case "date-time":
		return types.DateTime
	}
	return types.String
}

// fields returns the declared fields of an object, including those of referenced schemas.
func (c *compiler) fields(n *Node, p *spec.Schema, base []types.Field) []types.Field {
	fields := make([]types.Field, 0, len(n.Properties)+len(base))
	for _, name := range sortedNames(p.Properties) {
		child := n.Properties[name]
		fields = append(fields, types.Field{
			Name: name, Type: child.typ, StripsZero: child.StripZero,
			Required: slices.Contains(p.Required, name) && p.Properties[name].Default == nil,
		})
	}
	for _, f := range base {
		if _, own := n.Properties[f.Name]; !own {
			f.Required = f.Required || slices.Contains(p.Required, f.Name)
			fields = append(fields, f)
		}
	}
	return fields
}

func embeds(p *spec.Schema) bool {
	if p == nil {
		return false
	}
	set, _ := p.Extensions.GetBool("x-kubernetes-embedded-resource")
	return set
}

// longestName is the length of names of objects, for the estimate of costs.
const longestName = int64(validation.DNS1123SubdomainMaxLength)

// withTypeAndObjectMeta makes sure that rules see apiVersion, kind, metadata.name
// and metadata.generateName. A schema that does not declare all of them as strings, of
// whatever format, gets just these, as in the API server. They keep maxLength and
// required of the declared ones.
func withTypeAndObjectMeta(s *types.Type, declared *spec.Schema) {
	if s.Kind != types.Object {
		return
	}
	meta := find(s.Fields, "metadata")
	if isText(s.Fields, "apiVersion") && isText(s.Fields, "kind") && meta != nil &&
		isText(meta.Type.Fields, "name") && isText(meta.Type.Fields, "generateName") {
		return
	}
	capped := func(name string, bound int64) *types.Type {
		if p := declared.Properties["metadata"].Properties[name]; p.MaxLength != nil {
			bound = min(bound, *p.MaxLength)
		}
		return &types.Type{Kind: types.String, Bound: &bound}
	}
	objectMeta := &types.Type{Kind: types.Object, Name: s.Name + " metadata", Fields: []types.Field{
		{Name: "generateName", Type: capped("generateName", longestName-1)}, // the generated suffix has a byte or more
		{Name: "name", Type: capped("name", longestName)},
	}}
	s.Fields = slices.DeleteFunc(slices.Clone(s.Fields), func(f types.Field) bool {
		return f.Name == "apiVersion" || f.Name == "kind" || f.Name == "metadata"
	})
	one := &types.Type{Kind: types.String}
	for _, f := range []types.Field{{Name: "apiVersion", Type: one}, {Name: "kind", Type: one}, {Name: "metadata", Type: objectMeta}} {
		f.Required = slices.Contains(declared.Required, f.Name)
		s.Fields = append(s.Fields, f)
	}
}

// isText reports whether a field is declared as a string, of whatever format.
func isText(fields []types.Field, name string) bool {
	f := find(fields, name)
	return f != nil && slices.Contains([]types.Kind{types.String, types.Bytes, types.Duration, types.Date, types.DateTime}, f.Type.Kind)
}

func find(fields []types.Field, name string) *types.Field {
	for i := range fields {
		if fields[i].Name == name {
			return &fields[i]
		}
	}
	return nil
}

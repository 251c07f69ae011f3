package declarative

import (
	"slices"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/cel"
)

// What rules see of a schema follows k8s.io/apiserver/pkg/cel/common
// (SchemaDeclType), except that it works on a graph with cycles.

// describe makes the shapes of all nodes. They are all made first and filled
// then, so that a cycle needs no special case.
func (c *compiler) describe(root *node) {
	for _, n := range c.nodes {
		c.shapes[n] = &cel.Shape{Name: n.at}
	}
	filled := map[*node]bool{}
	for _, n := range c.nodes {
		c.fillShape(n, filled)
	}
	for _, n := range c.nodes {
		if (n == root && c.opts.Root) || embeds(c.schemas[n]) {
			withTypeAndObjectMeta(c.shapes[n])
		}
	}
	c.internShapes()
}

// fillShape fills the shape of one node from its schema, on top of what it refers
// to.
func (c *compiler) fillShape(n *node, filled map[*node]bool) {
	if filled[n] || c.schemas[n] == nil {
		return
	}
	filled[n] = true
	s, p := c.shapes[n], c.schemas[n]
	for _, base := range n.also {
		c.fillShape(base, filled)
		name := s.Name
		*s = *c.shapes[base]
		if len(p.Properties) > 0 {
			s.Name = name
		}
	}
	s.Nullable = n.nullable
	if kind := kindOf(p); kind != cel.None {
		s.Kind = kind
	}
	preserve, _ := p.Extensions.GetBool("x-kubernetes-preserve-unknown-fields")
	s.Opaque = s.Opaque || preserve
	switch s.Kind {
	case cel.Object:
		s.Fields = c.fields(n, p, s.Fields)
	case cel.Map:
		c.fillElem(s, n.additional, p.MaxProperties)
	case cel.List:
		c.fillElem(s, n.items, p.MaxItems)
		fillListType(s, n, p)
	case cel.String, cel.Bytes, cel.Dyn:
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

func (c *compiler) fillElem(s *cel.Shape, elem *node, bound *int64) {
	if elem != nil {
		s.Elem = c.shapes[elem]
	}
	if bound != nil {
		s.Bound = bound
	}
}

func fillListType(s *cel.Shape, n *node, p *spec.Schema) {
	switch typ, _ := p.Extensions.GetString("x-kubernetes-list-type"); typ {
	case "set":
		s.ListType = cel.Set
	case "map":
		s.ListType, s.Keys = cel.MapByKeys, n.listKeys
	}
}

// kindOf is the kind of values that a schema declares by itself.
func kindOf(p *spec.Schema) cel.Kind {
	if intOrString(p) {
		return cel.Dyn
	}
	if len(p.Type) == 0 {
		return cel.None
	}
	switch p.Type[0] {
	case "array":
		if p.Items != nil && p.Items.Schema != nil {
			return cel.List
		}
	case "object":
		if len(p.Properties) == 0 && p.AdditionalProperties != nil && p.AdditionalProperties.Schema != nil {
			return cel.Map
		}
		return cel.Object
	case "string":
		return textKind(p.Format)
	case "boolean":
		return cel.Bool
	case "number":
		return cel.Double
	case "integer":
		return cel.Int
	}
	return cel.None
}

func textKind(format string) cel.Kind {
	switch format {
	case "byte":
		return cel.Bytes
	case "duration":
		return cel.Duration
	case "date":
		return cel.Date
	case "date-time":
		return cel.DateTime
	}
	return cel.String
}

// fields are the declared fields of an object, those of what it refers to
// included.
func (c *compiler) fields(n *node, p *spec.Schema, base []cel.Field) []cel.Field {
	fields := make([]cel.Field, 0, len(n.properties)+len(base))
	for _, name := range sortedNames(p.Properties) {
		child := n.properties[name]
		fields = append(fields, cel.Field{
			Name: name, Shape: c.shapes[child], StripsZero: child.stripZero,
			Required: slices.Contains(p.Required, name) && p.Properties[name].Default == nil,
		})
	}
	for _, f := range base {
		if _, own := n.properties[f.Name]; !own {
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

// withTypeAndObjectMeta makes sure that rules see apiVersion, kind, metadata.name
// and metadata.generateName. A schema that does not declare all of them gets just
// these, as in the API server.
func withTypeAndObjectMeta(s *cel.Shape) {
	if s.Kind != cel.Object {
		return
	}
	text := func(fields []cel.Field, name string) bool {
		f := find(fields, name)
		return f != nil && f.Shape.Kind == cel.String
	}
	meta := find(s.Fields, "metadata")
	if text(s.Fields, "apiVersion") && text(s.Fields, "kind") && meta != nil &&
		text(meta.Shape.Fields, "name") && text(meta.Shape.Fields, "generateName") {
		return
	}
	one := &cel.Shape{Kind: cel.String}
	objectMeta := &cel.Shape{Kind: cel.Object, Name: s.Name + " metadata", Fields: []cel.Field{
		{Name: "generateName", Shape: one}, {Name: "name", Shape: one},
	}}
	fields := slices.DeleteFunc(slices.Clone(s.Fields), func(f cel.Field) bool {
		return f.Name == "apiVersion" || f.Name == "kind" || f.Name == "metadata"
	})
	s.Fields = append(fields,
		cel.Field{Name: "apiVersion", Shape: one}, cel.Field{Name: "kind", Shape: one},
		cel.Field{Name: "metadata", Shape: objectMeta})
}

func find(fields []cel.Field, name string) *cel.Field {
	for i := range fields {
		if fields[i].Name == name {
			return &fields[i]
		}
	}
	return nil
}

package skeleton

import (
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
	"github.com/diffrun/diffrun/internal/openapi"
)

// Compile compiles a schema. Definitions has the target of a $ref of "#/definitions/NAME" or
// "#/components/schemas/NAME" under NAME. Definitions may refer to each other, also in cycles.
//
// The error names, with its place, every reference without a target or to itself, every extension
// of the wrong type and every list of items that is not one schema.
func Compile(schema *spec.Schema, definitions map[string]*spec.Schema) (*Node, error) {
	if schema == nil {
		return nil, errors.New("there is no schema")
	}
	c := &compiler{definitions: definitions, named: map[string]*Node{}}
	root := c.node(schema, nil)
	for _, n := range c.referring {
		c.resolve(n, map[*Node]bool{})
	}
	if len(c.errs) > 0 {
		fielderror.Sort(c.errs)
		return nil, c.errs.ToAggregate()
	}
	return root, nil
}

type compiler struct {
	definitions map[string]*spec.Schema
	named       map[string]*Node
	referring   []*Node
	errs        field.ErrorList
}

func (c *compiler) node(s *spec.Schema, at *field.Path) *Node {
	n := &Node{}
	c.fill(n, s, at)
	return n
}

func (c *compiler) fill(n *Node, s *spec.Schema, at *field.Path) {
	if at != nil {
		n.At = at.String()
	}
	x, errs := openapi.ReadExtensions(s, at)
	c.errs = append(c.errs, errs...)
	n.Nullable, n.Required = s.Nullable, s.Required
	n.Preserve, n.Embedded, n.StripZero = x.Preserves(), x.EmbeddedResource, x.StripZero
	var err error
	if n.Default, err = openapi.JSON(s.Default); err != nil {
		c.errs = append(c.errs, field.Invalid(at.Child("default"), field.OmitValueType{}, fmt.Sprintf("is not JSON: %v", err)))
	}
	c.parts(n, s, at)
	if ref := openapi.Reference(s); ref != "" {
		n.base = c.definition(ref, at.Child("$ref"))
		c.referring = append(c.referring, n)
	}
}

func (c *compiler) parts(n *Node, s *spec.Schema, at *field.Path) {
	if len(s.Properties) > 0 {
		n.Properties = make(map[string]*Node, len(s.Properties))
	}
	n.AdditionalDeclared = s.AdditionalProperties != nil
	if s.Items != nil && len(s.Items.Schemas) > 0 {
		c.errs = append(c.errs, field.Forbidden(at.Child("items"), "items must be a schema and not a list of them"))
	}
	for child := range openapi.Children(s) {
		if !child.IsPart() {
			continue
		}
		switch part := c.node(child.Schema, child.At(at)); child.Keyword {
		case "properties":
			n.Properties[child.Name] = part
		case "items":
			n.Items = part
		default:
			n.Additional = part
		}
	}
}

// definition returns the node of a definition. It is registered before it is filled, so that a
// cycle finds it.
func (c *compiler) definition(ref string, at *field.Path) *Node {
	name, ok := openapi.DefinitionName(ref)
	if !ok {
		c.errs = append(c.errs, field.Invalid(at, ref, "must be #/definitions/NAME or #/components/schemas/NAME"))
		return &Node{}
	}
	if n, ok := c.named[name]; ok {
		return n
	}
	n := &Node{}
	c.named[name] = n
	if s := c.definitions[name]; s != nil {
		c.fill(n, s, field.NewPath("definitions").Key(name))
	} else {
		c.errs = append(c.errs, field.NotFound(at, ref))
	}
	return n
}

// resolve makes a node inherit from the nodes that it refers to, after these have done so.
func (c *compiler) resolve(n *Node, above map[*Node]bool) {
	if n.base == nil {
		return
	}
	if above[n] {
		c.errs = append(c.errs, field.Invalid(field.NewPath(n.At), field.OmitValueType{},
			"refers back to itself without a property or item in between"))
		n.base = nil
		return
	}
	above[n] = true
	c.resolve(n.base, above)
	if n.base != nil {
		n.inherit(n.base)
	}
	n.base = nil
}

// Package declared answers what an OpenAPI schema declares at the fields of an object,
// by the paths that errors have. It reads the schema as it was written and knows
// nothing of how values are validated. Its Schema implements
// equivalence.Declarations.
package declared

import (
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/fieldpath"
)

// Schema is an OpenAPI v3 schema with the definitions that its $refs name.
type Schema struct {
	Root        *spec.Schema
	Definitions map[string]*spec.Schema // by name, without the prefix of a $ref
}

// Extensions of Kubernetes that say what a schema declares.
const (
	preserveUnknownFields = "x-kubernetes-preserve-unknown-fields"
	embeddedResource      = "x-kubernetes-embedded-resource"
	listType              = "x-kubernetes-list-type"
	listMapKeys           = "x-kubernetes-list-map-keys"
)

// Declares says whether the schema has the field. Below a value that the schema leaves
// open (preserved unknown fields, an embedded resource, no schema at all) every field
// counts as declared.
func (s Schema) Declares(path string) bool {
	return len(s.at(path)) > 0
}

// at gives the schemas that a value at a path must all meet.
func (s Schema) at(path string) []*spec.Schema {
	nodes := s.conjuncts(nil, s.Root)
	for _, step := range fieldpath.Split(path) {
		nodes = s.below(nodes, step)
	}
	return nodes
}

// conjuncts adds a schema to a list, what it refers to, and the members of its allOf. A
// schema that is there already is not added again, so circles end.
func (s Schema) conjuncts(to []*spec.Schema, schema *spec.Schema) []*spec.Schema {
	if schema == nil {
		return to
	}
	for _, known := range to {
		if known == schema {
			return to
		}
	}
	to = append(to, schema)
	if ref := schema.Ref.String(); ref != "" {
		to = s.conjuncts(to, s.Definitions[definitionName(ref)])
	}
	for i := range schema.AllOf {
		to = s.conjuncts(to, &schema.AllOf[i])
	}
	return to
}

// definitionName cuts off what a $ref has before the name of a definition.
func definitionName(ref string) string {
	return strings.TrimPrefix(strings.TrimPrefix(ref, "#/definitions/"), "#/components/schemas/")
}

// open is the schema of a value about which the schema above it says nothing.
var open = &spec.Schema{}

// below goes one step down from all of the schemas of a value.
func (s Schema) below(nodes []*spec.Schema, step fieldpath.Step) []*spec.Schema {
	var children []*spec.Schema
	for _, node := range nodes {
		children = s.conjuncts(children, child(node, step))
	}
	if len(children) == 0 && leavesOpen(nodes) {
		return []*spec.Schema{open}
	}
	return children
}

// child gives the schema of a property, item or entry, or nil.
func child(node *spec.Schema, step fieldpath.Step) *spec.Schema {
	if property, ok := node.Properties[step.Text]; ok && !step.Bracket {
		return &property
	}
	if step.Bracket && node.Items != nil && node.Items.Schema != nil {
		return node.Items.Schema
	}
	if others := node.AdditionalProperties; others != nil {
		if others.Schema != nil {
			return others.Schema
		}
		if others.Allows {
			return open
		}
	}
	return nil
}

// leavesOpen says whether a value may hold what none of its schemas declares.
func leavesOpen(nodes []*spec.Schema) bool {
	shaped := len(nodes) == 0
	for _, node := range nodes {
		if node.Extensions[preserveUnknownFields] == true || node.Extensions[embeddedResource] == true {
			return true
		}
		shaped = shaped || len(node.Properties) > 0 || node.Items != nil || node.AdditionalProperties != nil || scalar(node)
	}
	return !shaped
}

// scalar says whether the type of a node has nothing below it.
func scalar(node *spec.Schema) bool {
	return len(node.Type) == 1 && node.Type[0] != "object" && node.Type[0] != "array"
}

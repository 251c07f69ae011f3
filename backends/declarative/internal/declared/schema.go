// Package declared finds what an OpenAPI schema declares at the fields of an object, given the paths of
// errors. It reads the schema as it was written and does not know how values are validated. Its Schema
// implements equivalence.Declarations.
package declared

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/fieldpath"
	"github.com/diffrun/diffrun/internal/openapi"
)

// Schema is an OpenAPI v3 schema with the definitions that its $refs refer to.
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
	intOrString           = "x-kubernetes-int-or-string"
)

// Declares reports whether the schema has the field, even if only in a branch of anyOf, oneOf or not.
// Every field counts as declared below a value that the schema leaves open (preserved unknown fields, an
// embedded resource, no schema at all), and so do the type and metadata that every resource has, unless
// the schema describes its metadata.
func (s Schema) Declares(path string) bool {
	all := reader{s, true}
	root, steps := all.with(nil, s.Root), fieldpath.Split(path)
	if len(steps) > 0 && !steps[0].Bracket {
		switch steps[0].Text {
		case "apiVersion", "kind":
			return true
		case "metadata":
			if len(steps) == 1 || !describesMetadata(all.below(root, steps[0])) {
				return true
			}
		}
	}
	return len(all.readings(root, steps)) > 0
}

// describesMetadata reports whether the schemas of metadata list its fields. A custom resource may only
// restrict the name, and leaves the rest to the API server.
func describesMetadata(nodes []*spec.Schema) bool {
	return slices.ContainsFunc(nodes, func(node *spec.Schema) bool {
		_, described := node.Properties["ownerReferences"]
		return described
	})
}

// at returns the schemas that a value at a path must all meet. It returns none for a path that can mean
// two fields, because a name has a dot.
func (s Schema) at(path string) []*spec.Schema {
	needed := reader{s, false}
	readings := needed.readings(needed.with(nil, s.Root), fieldpath.Split(path))
	if len(readings) != 1 {
		return nil
	}
	return readings[0]
}

// reader descends a schema, with or without the branches that a value need not meet.
type reader struct {
	Schema
	branches bool
}

// readings returns the schemas of each value that a path below some schemas can mean.
func (r reader) readings(nodes []*spec.Schema, steps []fieldpath.Step) [][]*spec.Schema {
	if len(nodes) == 0 {
		return nil
	}
	if len(steps) == 0 {
		return [][]*spec.Schema{nodes}
	}
	all := r.readings(r.below(nodes, steps[0]), steps[1:])
	for _, name := range longNames(nodes) {
		if read := fieldpath.Split(name); len(read) <= len(steps) && slices.Equal(read, steps[:len(read)]) {
			all = append(all, r.readings(r.below(nodes, fieldpath.Step{Text: name}), steps[len(read):])...)
		}
	}
	return all
}

// longNames returns the names of properties that look like several fields in a path.
func longNames(nodes []*spec.Schema) []string {
	names := map[string]bool{}
	for _, node := range nodes {
		for name := range node.Properties {
			if strings.ContainsAny(name, ".[") {
				names[name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// with adds a schema to a list, with the schema it refers to and the members of its allOf. It adds no
// schema twice, so circles end.
func (r reader) with(to []*spec.Schema, schema *spec.Schema) []*spec.Schema {
	if schema == nil || slices.Contains(to, schema) {
		return to
	}
	to = append(to, schema)
	to = r.with(to, r.referred(schema))
	for branch := range openapi.Branches(schema) {
		if r.branches || branch.Keyword == "allOf" {
			to = r.with(to, branch.Schema)
		}
	}
	return to
}

// referred returns the definition that a schema's own $ref refers to, or nil.
func (s Schema) referred(schema *spec.Schema) *spec.Schema {
	if name, ok := openapi.DefinitionName(openapi.Ref(schema)); ok {
		return s.Definitions[name]
	}
	return nil
}

// open is the schema of a value that the schema above it does not describe.
var open = &spec.Schema{}

// below goes one step down from all of the schemas of a value.
func (r reader) below(nodes []*spec.Schema, step fieldpath.Step) []*spec.Schema {
	var children []*spec.Schema
	for _, node := range nodes {
		children = r.with(children, child(node, step))
	}
	if len(children) == 0 && r.leavesOpen(nodes) {
		return []*spec.Schema{open}
	}
	return children
}

// child returns the schema of a property, item or entry, or nil.
func child(node *spec.Schema, step fieldpath.Step) *spec.Schema {
	if property, ok := node.Properties[step.Text]; ok && (!step.Bracket || node.AdditionalProperties != nil) {
		return &property
	}
	if items := openapi.Items(node); step.Bracket && items != nil {
		return items
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

// leavesOpen reports whether a value may hold something that none of its schemas declares. A $ref to a
// missing definition could declare anything.
func (s Schema) leavesOpen(nodes []*spec.Schema) bool {
	shaped := len(nodes) == 0
	for _, node := range nodes {
		if node.Extensions[preserveUnknownFields] == true || node.Extensions[embeddedResource] == true ||
			openapi.Ref(node) != "" && s.referred(node) == nil {
			return true
		}
		shaped = shaped || len(node.Properties) > 0 || node.Items != nil || node.AdditionalProperties != nil || scalar(node)
	}
	return !shaped
}

// scalar reports whether values of the type of a node have no parts.
func scalar(node *spec.Schema) bool {
	return len(node.Type) == 1 && node.Type[0] != "object" && node.Type[0] != "array"
}

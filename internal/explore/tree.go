package explore

import (
	"cmp"
	"maps"
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/object"
)

// props is a schema without references.
type props = apiextensionsv1.JSONSchemaProps

// steps is a path in an object, and absence the value of a part that is taken out.
type (
	steps   = object.Path
	absence = object.Absence
)

// site is a place in an object, where a value is or could be.
type site struct {
	path   steps
	schema *props
	value  any
	has    bool // whether the object has the value
}

// depth is how deep the site is in the object.
func (s site) depth() int { return len(s.path) }

// general returns the place in all objects, with any index and key.
func (s site) general() string { return s.path.General() }

// String returns the place in the object, as errors write it.
func (s site) String() string { return s.path.String() }

// maxDepth bounds how deep sites are: schemas may be recursive.
const maxDepth = 24

// rootOf returns the site of a whole object.
func rootOf(schema *props, object map[string]any) site {
	return site{schema: schema, value: object, has: true}
}

// sites returns a site and those in it: each field that it has or could have, and the first and the last item or entry
// of each list and map.
func (s site) sites() []site {
	all := []site{s}
	if s.has && s.depth() < maxDepth {
		for _, part := range partsOf(s) {
			all = append(all, part.sites()...)
		}
	}
	return all
}

// partsOf returns the sites right below a site that has a value.
func partsOf(at site) []site {
	var all []site
	switch value := at.value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(at.schema.Properties)) {
			if at.depth() == 0 && (name == "apiVersion" || name == "kind") {
				continue
			}
			part, has := value[name]
			all = append(all, site{at.path.Field(name), fieldOf(at, name), part, has})
		}
		all = append(all, entriesOf(at, value)...)
	case []any:
		items := generate.Items(at.schema)
		for i := range value {
			if i == 0 || i == len(value)-1 {
				all = append(all, site{at.path.Item(i), items, value[i], true})
			}
		}
	}
	return all
}

// fieldOf returns the schema of a field. The metadata of a definition is that of all objects.
func fieldOf(at site, name string) *props {
	declared := at.schema.Properties[name]
	if at.depth() == 0 && name == "metadata" && len(declared.Properties) == 0 {
		return objectMeta()
	}
	return &declared
}

// entriesOf returns the sites of the entries of a map, whose keys no schema declares. In a map of all
// objects, existing keys represent others.
func entriesOf(at site, value map[string]any) []site {
	var all []site
	entry := cmp.Or(entryOf(at.schema), &props{})
	names := slices.Sorted(maps.Keys(value))
	names = slices.DeleteFunc(names, func(name string) bool {
		_, declared := at.schema.Properties[name]
		return declared || at.depth() == 0
	})
	for i, name := range names {
		if i == 0 || i == len(names)-1 {
			all = append(all, site{at.path.Key(name), entry, value[name], true})
		}
	}
	return all
}

// entryOf returns the schema of the entries of a map; nil: it is no map.
func entryOf(s *props) *props {
	if s.AdditionalProperties == nil {
		return nil
	}
	return s.AdditionalProperties.Schema
}

// objectMeta is the schema of metadata: its fields that clients set.
func objectMeta() *props {
	text := props{Type: "string"}
	texts := props{Type: "object", AdditionalProperties: &apiextensionsv1.JSONSchemaPropsOrBool{Allows: true, Schema: &text}}
	owner := props{Type: "object", Required: []string{"apiVersion", "kind", "name", "uid"}, Properties: map[string]props{
		"apiVersion": text, "kind": text, "name": text, "uid": text, "controller": {Type: "boolean"},
		"blockOwnerDeletion": {Type: "boolean"},
	}}
	return &props{Type: "object", Properties: map[string]props{
		"name": text, "generateName": text, "namespace": text, "labels": texts, "annotations": texts,
		"finalizers":      {Type: "array", Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &text}},
		"ownerReferences": {Type: "array", Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &owner}},
	}}
}

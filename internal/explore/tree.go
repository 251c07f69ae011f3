package explore

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
)

// props is a schema without references.
type props = apiextensionsv1.JSONSchemaProps

// step is a step of a path in an object: a field, a key, or an index.
type step struct {
	name  string
	index int // of a list; -1: it is a name
	key   bool
}

func field(name string) step { return step{name: name, index: -1} }
func key(name string) step   { return step{name: name, index: -1, key: true} }
func item(index int) step    { return step{index: index} }

// site is a place in an object, where a value is or could be.
type site struct {
	path   []step
	schema *props
	value  any
	has    bool // whether the object has the value
}

// depth is how deep the site is in the object.
func (s site) depth() int { return len(s.path) }

// general returns the place in all objects, with any index and key.
func (s site) general() string {
	var out strings.Builder
	for _, at := range s.path {
		switch {
		case at.index >= 0 || at.key:
			out.WriteString("[*]")
		case out.Len() > 0:
			out.WriteString("." + at.name)
		default:
			out.WriteString(at.name)
		}
	}
	return out.String()
}

// String returns the place in the object, as errors write it.
func (s site) String() string {
	var out strings.Builder
	for _, at := range s.path {
		switch {
		case at.index >= 0:
			out.WriteString("[" + strconv.Itoa(at.index) + "]")
		case at.key:
			out.WriteString("[" + at.name + "]")
		case out.Len() > 0:
			out.WriteString("." + at.name)
		default:
			out.WriteString(at.name)
		}
	}
	return out.String()
}

// below returns a site in a site.
func (s site) below(at step, schema *props, value any, has bool) site {
	return site{path: append(slices.Clip(s.path), at), schema: schema, value: value, has: has}
}

// maxDepth bounds how deep sites are: schemas may be recursive.
const maxDepth = 24

// sitesOf returns the sites of an object: its root, each field that it has or could have, and the
// first and the last item or entry of each list and map.
func sitesOf(schema *props, object map[string]any) []site {
	var all []site
	var visit func(at site)
	visit = func(at site) {
		all = append(all, at)
		if !at.has || at.depth() >= maxDepth {
			return
		}
		for _, part := range partsOf(at) {
			visit(part)
		}
	}
	visit(site{schema: schema, value: object, has: true})
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
			all = append(all, at.below(field(name), fieldOf(at, name), part, has))
		}
		all = append(all, entriesOf(at, value)...)
	case []any:
		items := itemsOf(at.schema)
		for i := range value {
			if i == 0 || i == len(value)-1 {
				all = append(all, at.below(item(i), items, value[i], true))
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
			all = append(all, at.below(key(name), entry, value[name], true))
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

func itemsOf(s *props) *props {
	if s.Items == nil || s.Items.Schema == nil {
		return &props{}
	}
	return s.Items.Schema
}

// objectMeta is the schema of metadata: its fields that clients set.
func objectMeta() *props {
	text := props{Type: "string"}
	texts := props{Type: "object", AdditionalProperties: &apiextensionsv1.JSONSchemaPropsOrBool{Allows: true, Schema: &text}}
	owner := props{Type: "object", Required: []string{"apiVersion", "kind", "name", "uid"}, Properties: map[string]props{
		"apiVersion": text, "kind": text, "name": text, "uid": text, "controller": {Type: "boolean"}, "blockOwnerDeletion": {Type: "boolean"},
	}}
	return &props{Type: "object", Properties: map[string]props{
		"name": text, "generateName": text, "namespace": text, "labels": texts, "annotations": texts,
		"finalizers":      {Type: "array", Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &text}},
		"ownerReferences": {Type: "array", Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &owner}},
	}}
}

// absent is the value of a part that is taken out.
type absence struct{}

var absent absence

// with returns an object with another value at a path. Only the maps and lists on the path are
// copied. Parts that the path needs and the object lacks are added.
func with(value any, path []step, to any) any {
	if len(path) == 0 {
		return to
	}
	at := path[0]
	if at.index < 0 {
		fields, _ := value.(map[string]any)
		fields = maps.Clone(fields)
		if fields == nil {
			fields = map[string]any{}
		}
		if part := with(fields[at.name], path[1:], to); part == absent {
			delete(fields, at.name)
		} else {
			fields[at.name] = part
		}
		return fields
	}
	list, _ := value.([]any)
	if at.index >= len(list) {
		return value
	}
	part := with(list[at.index], path[1:], to)
	if part == absent {
		return append(slices.Clone(list[:at.index]), list[at.index+1:]...)
	}
	list = slices.Clone(list)
	list[at.index] = part
	return list
}

// valueAt returns the value at a path.
func valueAt(value any, path []step) (any, bool) {
	for _, at := range path {
		if at.index >= 0 {
			list, _ := value.([]any)
			if at.index >= len(list) {
				return nil, false
			}
			value = list[at.index]
			continue
		}
		fields, _ := value.(map[string]any)
		part, has := fields[at.name]
		if !has {
			return nil, false
		}
		value = part
	}
	return value, true
}

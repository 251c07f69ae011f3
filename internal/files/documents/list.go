package documents

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// itemType is the type of items without apiVersion and kind: those of a ConfigMapList, as an API server
// returns it, are ConfigMaps (decodeToList of k8s.io/apimachinery/pkg/apis/meta/v1/unstructured, which
// kubectl uses).
type itemType struct{ apiVersion, kind string }

func newItemType(apiVersion, kind any) itemType {
	version, _ := apiVersion.(string)
	list, _ := kind.(string)
	return itemType{version, strings.TrimSuffix(list, "List")}
}

// fill sets apiVersion and kind of an item that has none.
func (t itemType) fill(object map[string]any) {
	isNone := func(value any) bool { return value == nil || value == "" }
	if object == nil || t.kind == "" || !isNone(object["apiVersion"]) || !isNone(object["kind"]) {
		return
	}
	object["apiVersion"], object["kind"] = t.apiVersion, t.kind
}

// mostItems is the limit of items in a document, because aliases may repeat a list of lists.
const mostItems = 1_000_000

// lister finds the objects in a document of YAML.
type lister struct {
	file    string
	yield   func(Document) bool
	items   int
	stopped bool
}

// objects returns the items of a list, at any depth, or the document itself.
func (l *lister) objects(node *yaml.Node, of itemType) {
	if l.items++; l.items > mostItems {
		l.stopped = true
		l.yield(Document{
			Line: node.Line,
			Err: strictyaml.Mistakes{{Position: strictyaml.Position{File: l.file, Line: node.Line},
				Message: "aliases repeat too many items"}},
		})
		return
	}
	list := node
	for list.Kind == yaml.AliasNode {
		list = list.Alias
	}
	items := entryOf(list, "items")
	for items != nil && items.Kind == yaml.AliasNode {
		items = items.Alias
	}
	if items == nil || items.Kind != yaml.SequenceNode && items.ShortTag() != "!!null" {
		document := newDocument(l.file, node)
		of.fill(document.Object)
		l.stopped = !l.yield(document)
		return
	}
	inside := newItemType(textOf(list, "apiVersion"), textOf(list, "kind"))
	for _, item := range items.Content {
		if l.objects(item, inside); l.stopped {
			return
		}
	}
}

// entryOf returns the value of a key of a mapping, or nil.
func entryOf(mapping *yaml.Node, name string) *yaml.Node {
	if mapping.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == name {
			return mapping.Content[i+1]
		}
	}
	return nil
}

func textOf(mapping *yaml.Node, name string) any {
	if value := entryOf(mapping, name); value != nil && value.Kind == yaml.ScalarNode {
		return value.Value
	}
	return nil
}

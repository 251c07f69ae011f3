package documents

import (
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// itemType is what the items of a list are that do not say it themselves: those of a ConfigMapList,
// as an API server answers it, are ConfigMaps (decodeToList of
// k8s.io/apimachinery/pkg/apis/meta/v1/unstructured, with which kubectl reads lists).
type itemType struct{ apiVersion, kind string }

func newItemType(apiVersion, kind any) itemType {
	version, _ := apiVersion.(string)
	list, _ := kind.(string)
	return itemType{version, strings.TrimSuffix(list, "List")}
}

// fill gives an object without apiVersion and kind those of the items of its list.
func (t itemType) fill(object map[string]any) {
	isNone := func(value any) bool { return value == nil || value == "" }
	if object == nil || t.kind == "" || !isNone(object["apiVersion"]) || !isNone(object["kind"]) {
		return
	}
	object["apiVersion"], object["kind"] = t.apiVersion, t.kind
}

// mostItems bounds the items of a document: aliases may repeat a list of lists.
const mostItems = 1_000_000

// lister finds the objects in a document of YAML.
type lister struct {
	file    string
	yield   func(Document) bool
	items   int
	stopped bool
}

// objects gives the items of a list, however deep, or else the document itself.
func (l *lister) objects(node *yaml.Node, of itemType) {
	if l.items++; l.items > mostItems {
		l.stopped = true
		l.yield(Document{Line: node.Line, Err: strictyaml.Mistakes{{Position: strictyaml.Position{File: l.file, Line: node.Line}, Message: "aliases repeat too many items"}}})
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

// entryOf gives the value of a key of a mapping, else nil.
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

package declared

import (
	"reflect"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/fieldpath"
	"github.com/diffrun/diffrun/internal/openapi"
)

// Place is a place of a schema, of a Go type, or of both: definitions do not describe the metadata of
// their objects. The zero value declares nothing.
type Place struct {
	reader reader
	nodes  []*spec.Schema
	typed  fieldpath.TypeNames
}

// object has the fields of every object of the API, whatever its schema declares.
var object = fieldpath.NamesOfType(reflect.TypeFor[metav1.PartialObjectMetadata]())

// Top returns the place of the whole object.
func (s Schema) Top() Place {
	all := reader{s, true}
	return Place{reader: all, nodes: all.with(nil, s.Root), typed: object}
}

// Has reports whether a field of this name is declared.
func (p Place) Has(name string) bool {
	if p.typed.Has(name) {
		return true
	}
	for _, node := range p.nodes {
		if _, is := node.Properties[name]; is {
			return true
		}
	}
	return false
}

// Field returns the place of the value of a field.
func (p Place) Field(name string) Place { return p.below(fieldpath.Step{Text: name}) }

// Entry returns the place of an item of a list or an entry of a map.
func (p Place) Entry(key string) Place { return p.below(fieldpath.Step{Text: key, Bracket: true}) }

func (p Place) below(step fieldpath.Step) Place {
	below := Place{reader: p.reader, nodes: p.reader.below(p.nodes, step), typed: p.typed.Below(step)}
	for _, node := range below.nodes {
		if node.Extensions[embeddedResource] == true {
			below.typed = object
		}
	}
	return below
}

// Words returns the names of all fields that the schema declares anywhere, and the texts of its
// enums.
func (s Schema) Words() map[string]bool {
	words := map[string]bool{}
	seen := map[*spec.Schema]bool{}
	addWords(words, seen, s.Root)
	for _, definition := range s.Definitions {
		addWords(words, seen, definition)
	}
	return words
}

func addWords(words map[string]bool, seen map[*spec.Schema]bool, schema *spec.Schema) {
	if schema == nil || seen[schema] {
		return
	}
	seen[schema] = true
	for _, value := range schema.Enum {
		if text, is := value.(string); is {
			words[text] = true
		}
	}
	for child := range openapi.Children(schema) {
		if child.Keyword == "properties" {
			words[child.Name] = true
		}
		addWords(words, seen, child.Schema)
	}
}

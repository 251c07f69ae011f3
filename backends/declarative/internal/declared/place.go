package declared

import (
	"reflect"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/fieldpath"
)

// Place is a place of a schema, of a Go type, or of both: definitions do not describe the metadata of
// their objects. The zero value declares nothing.
type Place struct {
	reader reader
	nodes  []*spec.Schema
	typed  reflect.Type // of a struct, a map or a list, or nil
}

// object has the fields of every object of the API, whatever its schema declares.
var object = reflect.TypeFor[metav1.PartialObjectMetadata]()

// Top returns the place of the whole object.
func (s Schema) Top() Place {
	all := reader{s, true}
	return Place{reader: all, nodes: all.with(nil, s.Root), typed: object}
}

// OfType returns the place of a value of a Go type with the JSON names of its fields.
func OfType(typed reflect.Type) Place { return Place{typed: pointed(typed)} }

// Has reports whether a field of this name is declared.
func (p Place) Has(name string) bool {
	if p.typed != nil && p.typed.Kind() == reflect.Struct {
		if _, is := jsonField(p.typed, name); is {
			return true
		}
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
	below := Place{reader: p.reader, nodes: p.reader.below(p.nodes, step), typed: typeBelow(p.typed, step)}
	for _, node := range below.nodes {
		if node.Extensions[embeddedResource] == true {
			below.typed = object
		}
	}
	return below
}

func typeBelow(typed reflect.Type, step fieldpath.Step) reflect.Type {
	switch {
	case typed == nil:
		return nil
	case typed.Kind() == reflect.Struct && !step.Bracket:
		field, _ := jsonField(typed, step.Text)
		return pointed(field)
	case typed.Kind() == reflect.Map, typed.Kind() == reflect.Slice:
		return pointed(typed.Elem())
	}
	return nil
}

func pointed(typed reflect.Type) reflect.Type {
	if typed != nil && typed.Kind() == reflect.Pointer {
		return typed.Elem()
	}
	return typed
}

// jsonField finds the field of a struct with a JSON name.
func jsonField(of reflect.Type, name string) (reflect.Type, bool) {
	for i := range of.NumField() {
		field := of.Field(i)
		tag, tagged := field.Tag.Lookup("json")
		tag, _, _ = strings.Cut(tag, ",")
		switch {
		case tagged && tag == "" && field.Anonymous:
			if found, is := jsonField(pointed(field.Type), name); is {
				return found, true
			}
		case tag == name && tag != "" && tag != "-":
			return field.Type, true
		}
	}
	return nil, false
}

// Words returns the names of all fields that the schema declares, and the texts of its enums.
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
	for name, property := range schema.Properties {
		words[name] = true
		addWords(words, seen, &property)
	}
	for _, value := range schema.Enum {
		if text, is := value.(string); is {
			words[text] = true
		}
	}
	if schema.Items != nil {
		addWords(words, seen, schema.Items.Schema)
	}
	if schema.AdditionalProperties != nil {
		addWords(words, seen, schema.AdditionalProperties.Schema)
	}
	addWords(words, seen, schema.Not)
	for _, branches := range [][]spec.Schema{schema.AllOf, schema.AnyOf, schema.OneOf} {
		for i := range branches {
			addWords(words, seen, &branches[i])
		}
	}
}

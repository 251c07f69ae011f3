package strictyaml

import (
	"reflect"

	"go.yaml.in/yaml/v3"
)

// DecodeNode is Decode for a part of a document that a type with UnmarshalYAML kept for later, so that a
// mistake in it does not affect the rest of the file.
func DecodeNode(file string, node *yaml.Node, out any) error {
	d := &decoder{file: file, whole: "the object", budget: max(maxExpansionFloor, maxExpansion*countNodes(node))}
	d.decode(node, reflect.ValueOf(out).Elem(), 0)
	return d.mistakes.Err()
}

package proposal

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/diffrun/diffrun/internal/files/definitions"
	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/object"
	"github.com/diffrun/diffrun/internal/openapi"
)

// Operation is an operation of a JSON patch (RFC 6902) for the definition.
type Operation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	Value any    `json:"value"`
}

// patch returns the operations that add rules to a version of a definition.
func patch(version *definitions.Version, rules []*Rule) []Operation {
	var all []Operation
	lists := map[string]bool{} // that an operation added
	add := func(pointer, name string, value any, list bool, has bool) {
		at := pointer + object.Of(name).Pointer()
		switch {
		case !list:
			all = append(all, Operation{"add", at, value})
		case has || lists[at]:
			all = append(all, Operation{"add", at + "/-", value})
		default:
			all = append(all, Operation{"add", at, []any{value}})
			lists[at] = true
		}
	}
	for _, r := range rules {
		at := pointerTo(version, r.At)
		schema := r.At.Schema(version.Schema)
		switch {
		case schema == nil:
		case r.Required != "":
			add(at, "required", r.Required, true, len(schema.Required) > 0)
		case r.Validation != nil:
			declared, _ := openapi.ReadExtensions(schema, nil)
			add(at, openapi.XValidations, validationValue(r.Validation), true, len(declared.Validations) > 0)
		default:
			for _, name := range slices.Sorted(maps.Keys(r.Keywords)) {
				add(at, name, r.Keywords[name], false, false)
			}
		}
	}
	return all
}

// validationValue returns a rule as a JSON value, with its keys in the order in which people write
// them.
func validationValue(rule *openapi.Rule) any {
	data, err := json.Marshal(rule)
	if err != nil {
		return nil
	}
	var out map[string]any
	if json.Unmarshal(data, &out) != nil {
		return nil
	}
	return out
}

// pointerTo returns the JSON pointer of the schema of a place.
func pointerTo(version *definitions.Version, at evidence.Place) string {
	out := object.Parse(version.Path)
	schema := version.Schema
	for _, name := range at {
		_, declared := schema.Properties[name]
		switch {
		case declared:
			out = out.Field("properties").Field(name)
		case name == evidence.AnyItem && openapi.Items(schema) != nil:
			out = out.Field("items")
		default:
			out = out.Field("additionalProperties")
		}
		if schema = evidence.SchemaBelow(schema, name); schema == nil {
			break
		}
	}
	return out.Pointer()
}

func unescapePointer(name string) string {
	return strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
}

// Patched returns the text of a file with a definition after the operations. Other lines stay as they are if the definition is
// written in block style; else comments and the order of keys stay, and JSON stays JSON. The definition is the one with the name.
func Patched(data []byte, name string, operations []Operation) ([]byte, error) {
	written, err := rewritten(data, name, operations)
	if err != nil {
		return nil, err
	}
	if len(operations) == 0 {
		return data, nil
	}
	if text := edited(data, name, operations); text != nil && sameDocuments(text, written) {
		return text, nil
	}
	return written, nil
}

// sameDocuments reports whether two files have equal values.
func sameDocuments(a, b []byte) bool {
	one, other := yaml.NewDecoder(bytes.NewReader(a)), yaml.NewDecoder(bytes.NewReader(b))
	for {
		var x, y any
		errX, errY := one.Decode(&x), other.Decode(&y)
		if errX != nil || errY != nil {
			return errors.Is(errX, io.EOF) && errors.Is(errY, io.EOF)
		}
		if !evidence.Equal(x, y) {
			return false
		}
	}
}

// rewritten returns the same, with all lines written anew.
func rewritten(data []byte, name string, operations []Operation) ([]byte, error) {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	var all []*yaml.Node
	found := false
	for {
		document := new(yaml.Node)
		if err := decoder.Decode(document); err != nil {
			break
		}
		all = append(all, document)
		if len(document.Content) > 0 && isDefinition(document.Content[0], name) {
			found = true
			for _, operation := range operations {
				if err := apply(document.Content[0], operation); err != nil {
					return nil, err
				}
			}
		}
	}
	switch {
	case !found:
		return nil, fmt.Errorf("the definition %s is not a document of its own", name)
	case json.Valid(data):
		return writtenAsJSON(all[0].Content[0], data)
	}
	return writtenAsYAML(all, data)
}

// writtenAsYAML returns the text of documents, with the indentation of an earlier text.
func writtenAsYAML(documents []*yaml.Node, like []byte) ([]byte, error) {
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	if !bytes.Contains(like, []byte(":\n  - ")) || bytes.Contains(like, []byte("\n  versions:\n  - ")) {
		encoder.CompactSeqIndent()
	}
	for _, document := range documents {
		if err := encoder.Encode(document); err != nil {
			return nil, err
		}
	}
	err := encoder.Close()
	return out.Bytes(), err
}

// isDefinition reports whether a document is the CustomResourceDefinition with a name.
func isDefinition(node *yaml.Node, name string) bool {
	kind, metadata := entry(node, "kind"), entry(node, "metadata")
	if kind == nil || metadata == nil || kind.Value != "CustomResourceDefinition" {
		return false
	}
	named := entry(metadata, "name")
	return named != nil && named.Value == name
}

// entry returns the value of a key of a mapping; nil: it has none.
func entry(node *yaml.Node, name string) *yaml.Node {
	for node != nil && node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	if node == nil || node.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value == name {
			return node.Content[i+1]
		}
	}
	return nil
}

// target returns the last step of a JSON pointer, and the mapping or sequence that has it.
func target(root *yaml.Node, path string) (at *yaml.Node, last string, err error) {
	parts := strings.Split(strings.TrimPrefix(path, "/"), "/")
	at = root
	for _, part := range parts[:len(parts)-1] {
		part = unescapePointer(part)
		var next *yaml.Node
		if index, err := strconv.Atoi(part); err == nil && at.Kind == yaml.SequenceNode && index < len(at.Content) {
			next = at.Content[index]
		} else {
			next = entry(at, part)
		}
		if next == nil {
			return nil, "", fmt.Errorf("%s: the file has no %q", path, part)
		}
		for next.Kind == yaml.AliasNode {
			next = next.Alias
		}
		at = next
	}
	return at, unescapePointer(parts[len(parts)-1]), nil
}

// apply applies an operation to a YAML document.
func apply(root *yaml.Node, operation Operation) error {
	at, last, err := target(root, operation.Path)
	if err != nil {
		return err
	}
	value, err := nodeOf(operation.Value)
	if err != nil {
		return err
	}
	switch {
	case last == "-" && at.Kind == yaml.SequenceNode:
		at.Content = append(at.Content, value)
	case entry(at, last) != nil:
		*entry(at, last) = *value
	default:
		if value.Kind != yaml.ScalarNode && last == openapi.XValidations {
			at.Style &^= yaml.FlowStyle
		}
		at.Content = append(at.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: last}, value)
	}
	return nil
}

// ruleKeys are the keys of a rule in the order in which people write them.
func ruleKeys() []string {
	return []string{"rule", "message", "messageExpression", "reason", "fieldPath", "optionalOldSelf"}
}

// nodeOf returns a JSON value as YAML.
func nodeOf(value any) (*yaml.Node, error) {
	var node yaml.Node
	if fields, is := value.(map[string]any); is && fields["rule"] != nil {
		node.Kind = yaml.MappingNode
		for _, key := range ruleKeys() {
			if fields[key] == nil {
				continue
			}
			part, err := nodeOf(fields[key])
			if err != nil {
				return nil, err
			}
			node.Content = append(node.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: key}, part)
		}
		return &node, nil
	}
	if list, is := value.([]any); is {
		node.Kind = yaml.SequenceNode
		for _, item := range list {
			part, err := nodeOf(item)
			if err != nil {
				return nil, err
			}
			node.Content = append(node.Content, part)
		}
		return &node, nil
	}
	err := node.Encode(value)
	return &node, err
}

// DefinitionFile returns the name of the file with the definition, or of the overlay of a Go type.
func DefinitionFile(t *evidence.Target) string {
	if t.GoPackage != "" {
		return OverlayFile
	}
	return filepath.Base(t.File)
}

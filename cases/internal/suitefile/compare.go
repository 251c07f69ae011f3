package suitefile

import (
	"errors"
	"slices"

	"go.yaml.in/yaml/v3"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// Compare is the key "compare" of a suite: the names of two backends, and before them a
// word for the errors that are compared, or none.
type Compare struct {
	harness.Sides
	strictyaml.Position
	Scope words.Compare
}

// JSONSchema implements strictyaml.Described.
func (Compare) JSONSchema() map[string]any {
	return map[string]any{"type": "array", "items": map[string]any{"type": "string"}, "minItems": 2, "maxItems": 3}
}

// UnmarshalYAML decodes [native, declarative] or [verdict, native, declarative].
func (c *Compare) UnmarshalYAML(node *yaml.Node) error {
	var names []string
	err := node.Decode(&names)
	if len(names) == 3 && slices.Contains(words.CompareValues(), words.Compare(names[0])) {
		c.Scope, names = words.Compare(names[0]), names[1:]
	}
	if err != nil || len(names) != 2 {
		return errors.New("must be the names of two backends, as [native, declarative]; all, covered or verdict may come first")
	}
	c.Sides, c.Line = harness.Sides{First: names[0], Second: names[1]}, node.Line
	return nil
}

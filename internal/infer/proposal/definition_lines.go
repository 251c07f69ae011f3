package proposal

import (
	"bytes"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/diffrun/diffrun/internal/files/yamllines"
	"github.com/diffrun/diffrun/internal/infer/evidence"
)

// edited returns the text of a file after operations on its definition, in which all other lines are as they were. It returns
// nil if an operation is about a part in flow style, as in "{type: integer}", whose lines are not its own.
func edited(data []byte, name string, operations []Operation) []byte {
	root := definitionIn(data, name)
	if root == nil {
		return nil
	}
	text := yamllines.New(strings.TrimSuffix(string(data), "\n") + "\n")
	for _, operation := range gathered(operations) {
		if !edit(text, root, operation) {
			return nil
		}
	}
	return []byte(text.String())
}

// definitionIn returns the definition with a name in a file; nil: it is not a document of its own.
func definitionIn(data []byte, name string) *yaml.Node {
	decoder := yaml.NewDecoder(bytes.NewReader(data))
	for {
		var document yaml.Node
		if decoder.Decode(&document) != nil {
			return nil
		}
		if len(document.Content) > 0 && isDefinition(document.Content[0], name) {
			return document.Content[0]
		}
	}
}

// gathered returns the operations with all items of a list that one of them adds in that one.
func gathered(operations []Operation) (all []Operation) {
	added := map[string]int{}
	for _, o := range operations {
		list, isItem := strings.CutSuffix(o.Path, "/-")
		if n, is := added[list]; isItem && is {
			items, _ := all[n].Value.([]any)
			all[n].Value = append(slices.Clone(items), o.Value)
			continue
		}
		if _, isList := o.Value.([]any); isList {
			added[o.Path] = len(all)
		}
		all = append(all, o)
	}
	return all
}

// edit changes the lines of an operation on a definition. It returns false if it cannot.
func edit(text *yamllines.Text, root *yaml.Node, operation Operation) bool {
	at, last, err := target(root, operation.Path)
	if err != nil || at.Style&yaml.FlowStyle != 0 || len(at.Content) == 0 {
		return false
	}
	value := operation.Value
	indent := at.Content[0].Column - 1 // of keys
	switch {
	case last == "-" && at.Kind == yaml.SequenceNode:
		indent, value = at.Column-1, []any{value}
	case at.Kind != yaml.MappingNode:
		return false
	case entry(at, last) != nil:
		node := entry(at, last)
		now, err := nodeOf(value)
		return err == nil && now.Kind == yaml.ScalarNode && node.Style == 0 && node.Anchor == "" && text.Replace(node, now.Value)
	default:
		value = map[string]any{last: value}
	}
	written, err := blockText(value)
	if err == nil {
		text.Insert(lastLine(text.Lines, at.Content[0].Line, indent, last == "-"), written, indent)
	}
	return err == nil
}

// blockText returns the lines of a value in block style.
func blockText(value any) (string, error) {
	var node *yaml.Node
	if fields, is := value.(map[string]any); is {
		node = &yaml.Node{Kind: yaml.MappingNode}
		for _, name := range evidence.SortedKeys(fields) { // there is one
			part, err := nodeOf(fields[name])
			if err != nil {
				return "", err
			}
			node.Content = append(node.Content, &yaml.Node{Kind: yaml.ScalarNode, Value: name}, part)
		}
	} else {
		var err error
		if node, err = nodeOf(value); err != nil {
			return "", err
		}
	}
	var out bytes.Buffer
	encoder := yaml.NewEncoder(&out)
	encoder.SetIndent(2)
	encoder.CompactSeqIndent()
	if err := encoder.Encode(node); err != nil {
		return "", err
	}
	return out.String(), encoder.Close()
}

// lastLine returns the last line of the mapping or sequence that begins on a line with an indent: the lines that follow it are as
// far to the right, or further; the key after a sequence may be below its dashes. Comments and blank lines after it are not its own.
func lastLine(lines []string, first, indent int, isSequence bool) int {
	last := first
	for n := first; n < len(lines); n++ {
		text := strings.TrimLeft(lines[n], " ")
		switch {
		case strings.TrimSpace(text) == "" || text[0] == '#':
			continue
		case len(lines[n])-len(text) < indent, isSequence && len(lines[n])-len(text) == indent && text[0] != '-':
			return last
		}
		last = n + 1
	}
	return last
}

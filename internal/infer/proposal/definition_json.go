package proposal

import (
	"bytes"
	"encoding/json"

	"go.yaml.in/yaml/v3"
)

// writtenAsJSON returns the text of a value that was read as YAML, with the order of its keys and with the indentation of an
// earlier text.
func writtenAsJSON(value *yaml.Node, like []byte) ([]byte, error) {
	var out, indented bytes.Buffer
	if err := writeJSON(&out, value); err != nil {
		return nil, err
	}
	trimmed := bytes.TrimRight(like, " \t\r\n")
	end := like[len(trimmed):]
	_, second, hasLines := bytes.Cut(trimmed, []byte("\n"))
	if !hasLines {
		return append(out.Bytes(), end...), nil
	}
	indentation := second[:len(second)-len(bytes.TrimLeft(second, " \t"))]
	if err := json.Indent(&indented, out.Bytes(), "", string(indentation)); err != nil {
		return nil, err
	}
	return append(indented.Bytes(), end...), nil
}

// writeJSON writes a value without blanks.
func writeJSON(out *bytes.Buffer, value *yaml.Node) error {
	open, last, step := byte('['), byte(']'), 1
	switch value.Kind {
	case yaml.ScalarNode:
		return writeScalar(out, value)
	case yaml.MappingNode:
		open, last, step = '{', '}', 2
	}
	out.WriteByte(open)
	for n := 0; n+step <= len(value.Content); n += step {
		if n > 0 {
			out.WriteByte(',')
		}
		if step == 2 {
			name := *value.Content[n]
			name.Tag = "!!str"
			if err := writeScalar(out, &name); err != nil {
				return err
			}
			out.WriteByte(':')
		}
		if err := writeJSON(out, value.Content[n+step-1]); err != nil {
			return err
		}
	}
	return out.WriteByte(last)
}

// writeScalar writes a text, number, boolean or null. Numbers of a JSON file keep their text.
func writeScalar(out *bytes.Buffer, value *yaml.Node) error {
	if value.ShortTag() != "!!str" && json.Valid([]byte(value.Value)) {
		out.WriteString(value.Value)
		return nil
	}
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value.Value)
	out.Write(bytes.TrimSpace(text.Bytes()))
	return err
}

package cases

import (
	"bytes"
	"errors"
	"iter"
	"regexp"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/diffrun/diffrun/internal/strictyaml"
)

// ofManifest finds the keys that every object has and no case file.
var ofManifest = regexp.MustCompile(`(?m)^(\{\s*)?["']?(apiVersion|kind)["']?[ \t]*:`)

// isManifest tells a manifest from a case file by its first document. It looks
// at the text, because a manifest that is no YAML is a fault of one case,
// while a case file that is none is a mistake that stops the run.
func isManifest(data []byte) bool {
	for document := range documents(data) {
		return ofManifest.Match(document.text)
	}
	return false
}

// document is one YAML document of a file.
type document struct {
	line int // of its first line
	text []byte
}

// documentMark is a line that begins a YAML document; nothing else may begin
// with three dashes at the first column.
var documentMark = regexp.MustCompile(`^---(\s|$)`)

// documents splits a file, so that a document that is no YAML does not hide
// those after it. Documents of comments alone are left out.
func documents(data []byte) iter.Seq[document] {
	return func(yield func(document) bool) {
		current := document{line: 1}
		number := 0
		for line := range bytes.Lines(data) {
			number++
			if documentMark.Match(line) {
				if !current.blank() && !yield(current) {
					return
				}
				current = document{line: number}
			}
			current.text = append(current.text, line...)
		}
		if !current.blank() {
			yield(current)
		}
	}
}

// blank says that nothing but comments and the mark stand in a document.
func (d document) blank() bool {
	for line := range bytes.Lines(d.text) {
		text := strings.TrimSpace(strings.TrimPrefix(string(line), "---"))
		if text != "" && !strings.HasPrefix(text, "#") {
			return false
		}
	}
	return true
}

// yamlObjects gives the objects of YAML documents.
func yamlObjects(file string, data []byte) iter.Seq[found] {
	return func(yield func(found) bool) {
		for document := range documents(data) {
			for object := range document.objects(file) {
				if !yield(object) {
					return
				}
			}
		}
	}
}

// listOf gives the items of a document that is a list, else nil.
func listOf(document *yaml.Node) *yaml.Node {
	if document.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(document.Content); i += 2 {
		if key, value := document.Content[i], document.Content[i+1]; key.Value == "items" && value.Kind == yaml.SequenceNode {
			return value
		}
	}
	return nil
}

// objects gives the object of a document, or those of a list.
func (d document) objects(file string) iter.Seq[found] {
	return func(yield func(found) bool) {
		if !utf8.Valid(d.text) {
			yield(found{line: d.line, err: errors.New("the document is not UTF-8")})
			return
		}
		var root yaml.Node
		if yaml.Unmarshal(d.text, &root) != nil {
			err := strictyaml.Decode(file, d.text, new(any)) // which knows the line
			yield(found{line: d.line, err: d.inFile(err)})
			return
		}
		nodes := root.Content
		if len(nodes) > 0 && listOf(nodes[0]) != nil {
			nodes = listOf(nodes[0]).Content
		}
		for _, node := range nodes {
			object, err := read[map[string]any](file, node)
			if !yield(found{d.line + node.Line - 1, object, d.inFile(err)}) {
				return
			}
		}
	}
}

// inFile moves mistakes from the lines of the document to those of the file.
func (d document) inFile(err error) error {
	var mistakes strictyaml.Mistakes
	if !errors.As(err, &mistakes) {
		return err
	}
	for i := range mistakes {
		mistakes[i].Line += d.line - 1
	}
	return mistakes
}

package documents

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/diffrun/diffrun/internal/strictyaml"
)

// ofManifest finds the keys that every object has and no case file.
var ofManifest = regexp.MustCompile(`(?m)^(\{\s*)?["']?(apiVersion|kind)["']?[ \t]*:`)

// IsManifest tells a manifest from another file of YAML by its first document.
// It looks at the text, because a manifest that is no YAML is a fault of one
// case, while a case file that is none is a mistake that stops the run.
func IsManifest(data []byte) bool {
	for part := range split(data) {
		return ofManifest.Match(part.text)
	}
	return false
}

// part is the text of one YAML document of a file.
type part struct {
	line int // of its first line
	text []byte
}

// documentMark is a line that begins a YAML document; nothing else may begin
// with three dashes at the first column.
var documentMark = regexp.MustCompile(`^---(\s|$)`)

// split splits a file, so that a document that is no YAML does not hide those
// after it. Documents of comments alone are left out.
func split(data []byte) iter.Seq[part] {
	data = withoutMark(data)
	return func(yield func(part) bool) {
		current := part{line: 1}
		number := 0
		for line := range bytes.Lines(data) {
			number++
			if documentMark.Match(line) {
				if !current.blank() && !yield(current) {
					return
				}
				current = part{line: number}
			}
			current.text = append(current.text, line...)
		}
		if !current.blank() {
			yield(current)
		}
	}
}

// blank says that nothing but comments and the mark stand in a document.
func (p part) blank() bool {
	for line := range bytes.Lines(p.text) {
		text := strings.TrimSpace(strings.TrimPrefix(string(line), "---"))
		if text != "" && !strings.HasPrefix(text, "#") {
			return false
		}
	}
	return true
}

// YAML gives the objects of YAML documents. The file is for the text of mistakes.
func YAML(file string, data []byte) iter.Seq[Document] {
	return func(yield func(Document) bool) {
		for part := range split(data) {
			for document := range part.objects(file) {
				if !yield(document) {
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
func (p part) objects(file string) iter.Seq[Document] {
	return func(yield func(Document) bool) {
		if !utf8.Valid(p.text) {
			yield(Document{Line: p.line, Err: errors.New("the document is not UTF-8")})
			return
		}
		var root yaml.Node
		if yaml.Unmarshal(p.text, &root) != nil {
			err := strictyaml.Decode(file, p.text, new(any)) // which knows the line
			yield(Document{Line: p.line, Err: p.asTemplate(p.inFile(err))})
			return
		}
		shift(&root, p.line-1)
		nodes := root.Content
		if len(nodes) == 1 && nodes[0].ShortTag() == "!!null" {
			return // no document, as for kubectl: what a template leaves of an object that is switched off
		}
		if len(nodes) > 0 && listOf(nodes[0]) != nil {
			nodes = listOf(nodes[0]).Content
		}
		for _, node := range nodes {
			document := newDocument(file, node)
			document.Err = p.asTemplate(document.Err)
			if !yield(document) {
				return
			}
		}
	}
}

func newDocument(file string, node *yaml.Node) Document {
	document := Document{Line: node.Line}
	document.Err = strictyaml.DecodeNode(file, node, &document.Object)
	if document.Err == nil && document.Object != nil {
		// What was read has an end, so this has one as well, whatever aliases
		// there are.
		document.places = sync.OnceValue(func() *place { return placeOf(node, document.Line) })
	}
	return document
}

// shift moves nodes from the lines of the document to those of the file.
func shift(node *yaml.Node, lines int) {
	node.Line += lines
	for _, child := range node.Content {
		shift(child, lines)
	}
}

// placeOf gives the places in a node that stands at a line.
func placeOf(node *yaml.Node, line int) *place {
	for node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	here := &place{line: line}
	switch node.Kind {
	case yaml.MappingNode:
		here.members = map[string]*place{}
		strictyaml.Entries(node, func(key, value *yaml.Node) {
			if name := strictyaml.Key(key); here.members[name] == nil {
				here.members[name] = placeOf(value, key.Line)
			}
		})
	case yaml.SequenceNode:
		for _, item := range node.Content {
			here.items = append(here.items, placeOf(item, item.Line))
		}
	}
	return here
}

// inFile moves mistakes of syntax from the lines of the document to those of the
// file.
func (p part) inFile(err error) error {
	var mistakes strictyaml.Mistakes
	if !errors.As(err, &mistakes) {
		return err
	}
	for i := range mistakes {
		mistakes[i].Line += p.line - 1
	}
	return mistakes
}

// template finds what fills in a template of Go, as charts have them, and notKey what
// one in the place of a value is when it is read as YAML.
var template, notKey = regexp.MustCompile(`\{\{.*\}\}`), "a key must be text, not a mapping"

// asTemplate says of a document that is no YAML that it may be a template. Texts may
// hold the same braces, so it is not for sure.
func (p part) asTemplate(err error) error {
	var mistakes strictyaml.Mistakes
	found := template.FindIndex(p.text)
	if found == nil || !errors.As(err, &mistakes) {
		return err
	}
	line := p.line + bytes.Count(p.text[:found[0]], []byte("\n"))
	for i, mistake := range mistakes {
		if strings.HasPrefix(mistake.Message, "not YAML: ") || mistake.Message == notKey {
			mistakes[i].Message += fmt.Sprintf("; if {{ … }} in line %d is of a template, render it first (helm template)", line)
		}
	}
	return mistakes
}

package documents

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"iter"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// ofManifest matches the keys that every object has and no case file has.
var ofManifest = regexp.MustCompile(`(?m)^(\{\s*)?["']?(apiVersion|kind)["']?[ \t]*:`)

// IsManifest reports whether a YAML file is a manifest, by its first document. It checks the text,
// because invalid YAML in a manifest is a fault of one case, while an invalid case file prevents the
// run.
func IsManifest(data []byte) bool {
	for part := range split(data, 1) {
		return ofManifest.Match(part.text)
	}
	return false
}

// part is the text of one YAML document in a file.
type part struct {
	line int // of its first line
	text []byte
	// unread is true if text follows the mark; kubectl reads nothing after it.
	unread bool
}

// documentMark is the beginning of a line that separates documents.
const documentMark = "---"

// split splits a file as kubectl does (YAMLReader of k8s.io/apimachinery/pkg/util/yaml), so that an
// invalid document does not hide those after it. Documents with only comments are left out.
func split(data []byte, firstLine int) iter.Seq[part] {
	data = withoutMark(data)
	return func(yield func(part) bool) {
		current := part{line: firstLine}
		number := firstLine - 1
		for line := range bytes.Lines(data) {
			number++
			if behind, marks := strings.CutPrefix(string(line), documentMark); marks {
				if !current.blank() && !yield(current) {
					return
				}
				current = part{line: number, unread: !isNothing(behind)}
			}
			current.text = append(current.text, line...)
		}
		if !current.blank() {
			yield(current)
		}
	}
}

// isNothing reports whether the text after a mark is not a document.
func isNothing(behind string) bool {
	if text := strings.TrimSpace(behind); text == "" || text[0] == '#' {
		return true
	}
	var value any = "something"
	return strings.TrimLeft(behind, " \t") != behind && yaml.Unmarshal([]byte(behind), &value) == nil && value == nil
}

// blank reports whether a document contains only comments and the mark. YAML has further line breaks,
// which end a comment, too.
func (p part) blank() bool {
	for line := range bytes.Lines(p.text) {
		text := strings.TrimSpace(strings.TrimPrefix(string(line), documentMark))
		if text != "" && (text[0] != '#' || strings.ContainsAny(text, "\r\u0085\u2028\u2029")) {
			return false
		}
	}
	return !p.unread
}

// YAML returns the objects of YAML documents. The name of the file is for messages.
func YAML(file string, data []byte) iter.Seq[Document] { return yamlFrom(file, data, 1) }

// yamlFrom returns the objects of text that begins at a line of a file.
func yamlFrom(file string, data []byte, line int) iter.Seq[Document] {
	return func(yield func(Document) bool) {
		for part := range split(data, line) {
			for document := range part.objects(file) {
				if !yield(document) {
					return
				}
			}
		}
	}
}

// objects returns the object of a document or the items of a list, and errors for content that kubectl
// ignores.
func (p part) objects(file string) iter.Seq[Document] {
	return func(yield func(Document) bool) {
		fault := func(line int, text string) bool {
			return yield(Document{Line: line,
				Err: strictyaml.Mistakes{{Position: strictyaml.Position{File: file, Line: line}, Message: text}}})
		}
		if !utf8.Valid(p.text) {
			yield(Document{Line: p.line, Err: errors.New("the document is not UTF-8")})
			return
		}
		if p.unread {
			fault(p.line, "kubectl does not read a document that begins on the line of its mark; write nothing except a comment "+
				"after ---, and end lines with LF or CRLF")
			return
		}
		in := yaml.NewDecoder(bytes.NewReader(p.text))
		var root yaml.Node
		switch err := in.Decode(&root); {
		case errors.Is(err, io.EOF):
			return
		case err != nil:
			err := strictyaml.Decode(file, p.text, new(any)) // which knows the line
			yield(Document{Line: p.line, Err: p.asTemplate(p.inFile(err))})
			return
		}
		shift(&root, p.line-1)
		// null is no document, as for kubectl: a template leaves it for an object that is switched off
		if len(root.Content) > 0 && root.Content[0].ShortTag() != "!!null" {
			all := lister{file: file, yield: func(document Document) bool {
				document.Err = p.asTemplate(document.Err)
				return yield(document)
			}}
			if all.objects(root.Content[0], itemType{}); all.stopped {
				return
			}
		}
		if line := p.second(in); line > 0 {
			fault(line, passedOver)
		}
	}
}

const passedOver = "kubectl does not read this, because the document has ended; " +
	"begin another document with a line ---, and end lines with LF or CRLF"

// second returns the line of content after the document that a decoder has read, or 0. kubectl reads
// only one document between two marks.
func (p part) second(in *yaml.Decoder) int {
	for {
		var next yaml.Node
		err := in.Decode(&next)
		switch {
		case errors.Is(err, io.EOF):
			return 0
		case err != nil:
			var mistakes strictyaml.Mistakes
			if errors.As(p.inFile(strictyaml.Decode("", p.text, new(any))), &mistakes) && mistakes[0].Line > 0 {
				return mistakes[0].Line
			}
			return p.line
		case len(next.Content) > 0 && next.Content[0].ShortTag() != "!!null":
			return p.line - 1 + next.Content[0].Line
		}
	}
}

// isNotYAML reports whether an error is about invalid YAML.
func isNotYAML(err error) bool {
	var mistakes strictyaml.Mistakes
	return errors.As(err, &mistakes) && strings.HasPrefix(mistakes[0].Message, notYAML)
}

const notYAML = "not YAML: "

func newDocument(file string, node *yaml.Node) Document {
	document := Document{Line: node.Line}
	document.Err = strictyaml.DecodeNode(file, node, &document.Object)
	if document.Err == nil && document.Object != nil {
		// Decoding ended, so this ends, too, even with aliases.
		document.places = sync.OnceValue(func() *place { return placeOf(node, document.Line) })
	}
	return document
}

// shift changes the lines of nodes from those of the document to those of the file.
func shift(node *yaml.Node, lines int) {
	node.Line += lines
	for _, child := range node.Content {
		shift(child, lines)
	}
}

// placeOf returns the place of a node at a line.
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

// inFile changes the lines of syntax errors from those of the document to those of the file.
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

// template matches an action of a Go template, as in a chart. notKey matches the YAML error for one in
// place of a value.
var template, notKey = regexp.MustCompile(`\{\{.*\}\}`), "a key must be text, not a mapping"

// asTemplate adds to an error about invalid YAML that the document may be a template. Strings may
// contain the same braces, so that is not certain.
func (p part) asTemplate(err error) error {
	var mistakes strictyaml.Mistakes
	found := template.FindIndex(p.text)
	if found == nil || !errors.As(err, &mistakes) {
		return err
	}
	line := p.line + bytes.Count(p.text[:found[0]], []byte("\n"))
	for i, mistake := range mistakes {
		if strings.HasPrefix(mistake.Message, notYAML) || mistake.Message == notKey {
			mistakes[i].Message += fmt.Sprintf("; if {{ … }} in line %d is of a template, render it first (helm template)", line)
		}
	}
	return mistakes
}

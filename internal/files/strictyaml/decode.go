package strictyaml

import (
	"bytes"
	"encoding"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"github.com/diffrun/diffrun/internal/text/oneof"
)

const (
	// MaxDepth is how deeply a document may be nested. The JSON decoder of apimachinery allows
	// 10,000 levels; real objects have fewer than 50.
	MaxDepth = 1000
	// maxExpansion limits the expansion of aliases: the number of visited nodes for each written
	// node, above a minimum that no hand-written file reaches.
	maxExpansion      = 10
	maxExpansionFloor = 100_000
)

// Decode reads one YAML document into out, a pointer to a struct.
//
// Fields are named by their `yaml` tags. A field of type Position tagged
// `yaml:"-"` receives the position of the mapping it stands in; an anonymous
// struct tagged `yaml:",inline"` shares its parent's keys. A field of type any
// receives JSON values (map[string]any, []any, string, bool, int64, float64,
// nil), those that kubectl would send: yes and off without quotes are booleans. A type with UnmarshalYAML or
// UnmarshalText decodes itself; an error of
// UnmarshalYAML that begins with "must be" is put behind the name of the value.
//
// The error is a Mistakes with everything that is wrong: unknown keys together
// with the accepted ones, duplicate keys, values of the wrong kind, nesting
// beyond MaxDepth, aliases that multiply.
func Decode(file string, data []byte, out any) error {
	document, err := parse(file, data)
	if err != nil {
		return err
	}
	d := &decoder{file: file, whole: "the file", budget: max(maxExpansionFloor, maxExpansion*countNodes(document))}
	d.decode(document, reflect.ValueOf(out).Elem(), 0)
	return d.mistakes.Err()
}

// parse returns the only document of a file.
func parse(file string, data []byte) (*yaml.Node, error) {
	if conflict := conflictMistake(file, data); conflict != nil {
		return nil, conflict
	}
	reader := yaml.NewDecoder(bytes.NewReader(data))
	var document, second yaml.Node
	if err := reader.Decode(&document); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, Mistakes{{Position: Position{File: file}, Message: "the file is empty"}}
		}
		return nil, syntaxMistake(file, data, err)
	}
	switch err := reader.Decode(&second); {
	case errors.Is(err, io.EOF):
	case err != nil:
		return nil, syntaxMistake(file, data, err)
	default:
		return nil, Mistakes{
			{Position: Position{File: file, Line: second.Line, Column: second.Column},
				Message: "a second YAML document begins here; this kind of file has one"},
		}
	}
	root := document.Content[0]
	if root.ShortTag() == "!!null" {
		return nil, Mistakes{
			{Position: Position{File: file, Line: root.Line, Column: root.Column},
				Message: "the file contains only null; expected a mapping"},
		}
	}
	return root, nil
}

var lineOfSyntaxError = regexp.MustCompile(`^yaml: (?:line (\d+): )?(.*)$`)

// ofParser matches the errors of the YAML parser, which counts lines from zero and omits the number of the
// first line. The scanner omits it as well, but counts from one.
var ofParser = regexp.MustCompile(`^(?:did not find expected (?:<|node content|'-' indicator|key|',' or )|found ` +
	`(?:undefined tag handle|duplicate|incompatible))`)

// unknownAnchor matches the only syntax error that the YAML parser reports without a line.
var unknownAnchor = regexp.MustCompile(`^unknown anchor '(.*)' referenced$`)

// syntaxMistake returns the mistake for an error of the YAML parser. The line is only in its text.
func syntaxMistake(file string, data []byte, err error) Mistakes {
	at, message := Position{File: file}, err.Error()
	if found := lineOfSyntaxError.FindStringSubmatch(message); found != nil {
		at.Line, _ = strconv.Atoi(found[1])
		message = found[2]
	}
	if ofParser.MatchString(message) { // at the end of the file it is one line further
		at.Line = min(at.Line+1, 1+bytes.Count(bytes.TrimSuffix(data, []byte("\n")), []byte("\n")))
	}
	if found := unknownAnchor.FindStringSubmatch(message); found != nil && at.Line == 0 {
		before, _, _ := bytes.Cut(data, []byte("*"+found[1]))
		at.Line = 1 + bytes.Count(before, []byte("\n"))
	}
	// for these yaml does not report the line either
	if unreadable := bytes.IndexFunc(data, isUnreadable); at.Line == 0 && unreadable >= 0 {
		at.Line = 1 + bytes.Count(data[:unreadable], []byte("\n"))
	}
	at.Line = max(at.Line, 1)
	return Mistakes{{Position: at, Message: "not YAML: " + message}}
}

// isUnreadable reports whether YAML may not contain a character: invalid UTF-8 or a control character.
func isUnreadable(r rune) bool {
	return r == utf8.RuneError || r < ' ' && r != '\t' && r != '\n' && r != '\r' || r == 0x7f
}

func countNodes(node *yaml.Node) int {
	count := 1
	for _, child := range node.Content {
		count += countNodes(child)
	}
	return count
}

type decoder struct {
	file     string
	whole    string   // the subject of a mistake about the whole file
	keys     []string // path to the decoded value, including indices
	budget   int      // number of nodes that may still be visited, with aliases expanded
	mistakes Mistakes
}

// inside decodes a part of a value. Mistakes in it name the part.
func (d *decoder) inside(key string, node *yaml.Node, out reflect.Value, depth int) {
	d.keys = append(d.keys, key)
	d.decode(node, out, depth+1)
	d.keys = d.keys[:len(d.keys)-1]
}

// subject returns the path of the decoded value in the file, such as cases[0].patch.
func (d *decoder) subject() string {
	if len(d.keys) == 0 {
		return d.whole
	}
	return strings.TrimPrefix(strings.Join(d.keys, ""), ".")
}

// mustf adds a mistake that says what a value must be.
func (d *decoder) mustf(node *yaml.Node, format string, args ...any) {
	d.addf(node, d.subject()+" must be "+format, args...)
}

func (d *decoder) at(node *yaml.Node) Position {
	return Position{File: d.file, Line: node.Line, Column: node.Column}
}

func (d *decoder) addf(node *yaml.Node, format string, args ...any) {
	d.mistakes.Addf(d.at(node), format, args...)
}

// enter resolves aliases and reports whether the node may still be visited.
func (d *decoder) enter(node *yaml.Node, depth int) (*yaml.Node, bool) {
	written := node
	for node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	if !d.spend(written) {
		return nil, false
	}
	if depth > MaxDepth {
		d.addf(written, "nested deeper than %d levels", MaxDepth)
		return nil, false
	}
	return node, true
}

// spend subtracts one visit of a node from the budget, and reports whether there was one left.
func (d *decoder) spend(on *yaml.Node) bool {
	d.budget--
	if d.budget == -1 {
		d.addf(on, "aliases repeat too much of the document")
	}
	return d.budget >= 0
}

// decode sets out, which is addressable, from a node.
func (d *decoder) decode(node *yaml.Node, out reflect.Value, depth int) {
	node, ok := d.enter(node, depth)
	if !ok {
		return
	}
	if d.decodeItself(node, out) {
		return
	}
	if out.Kind() == reflect.Interface {
		if value := d.json(node, depth); value != nil {
			out.Set(reflect.ValueOf(value))
		}
		return
	}
	if node.Tag == "!!null" {
		out.SetZero()
		return
	}
	switch out.Kind() {
	case reflect.Pointer:
		out.Set(reflect.New(out.Type().Elem()))
		d.decode(node, out.Elem(), depth)
	case reflect.Struct:
		d.decodeStruct(node, out, depth)
	case reflect.Map:
		d.decodeMap(node, out, depth)
	case reflect.Slice:
		d.decodeSlice(node, out, depth)
	default:
		d.decodeScalar(node, out)
	}
}

// decodeItself leaves the node to the type's own method, if it has one.
func (d *decoder) decodeItself(node *yaml.Node, out reflect.Value) bool {
	switch itself := out.Addr().Interface().(type) {
	case yaml.Unmarshaler:
		if err := itself.UnmarshalYAML(node); err != nil {
			var mistakes Mistakes
			if errors.As(err, &mistakes) {
				d.mistakes = append(d.mistakes, mistakes...)
			} else if wanted, isShape := strings.CutPrefix(err.Error(), "must be "); isShape {
				d.mustf(node, "%s", wanted)
			} else {
				d.addf(node, "%v", err)
			}
		}
		return true
	case encoding.TextUnmarshaler:
		if node.Kind != yaml.ScalarNode {
			d.mustf(node, "text, not %s", kindOf(node))
		} else if err := itself.UnmarshalText([]byte(node.Value)); err != nil {
			d.addf(node, "%v", err)
		}
		return true
	}
	return false
}

func (d *decoder) decodeStruct(node *yaml.Node, out reflect.Value, depth int) {
	if node.Kind != yaml.MappingNode {
		d.mustf(node, "a mapping with the keys %s, not %s", acceptedKeys(out.Type()), kindOf(node))
		return
	}
	fields := map[string]reflect.Value{}
	d.collectFields(node, out, fields)
	for _, entry := range d.entries(node) {
		field, known := fields[entry.key]
		if !known {
			accepted := acceptedKeys(out.Type())
			d.addf(entry.at, "unknown key %q;%s accepted: %s", entry.key, oneof.DidYouMean(entry.key, strings.Split(accepted, ", ")),
				accepted)
			continue
		}
		d.inside("."+entry.key, entry.value, field, depth)
	}
}

func (d *decoder) decodeMap(node *yaml.Node, out reflect.Value, depth int) {
	if node.Kind != yaml.MappingNode {
		d.mustf(node, "a mapping, not %s", kindOf(node))
		return
	}
	out.Set(reflect.MakeMap(out.Type()))
	for _, entry := range d.entries(node) {
		element := reflect.New(out.Type().Elem()).Elem()
		d.inside("."+entry.key, entry.value, element, depth)
		out.SetMapIndex(reflect.ValueOf(entry.key).Convert(out.Type().Key()), element)
	}
}

// OneOrMore is a list that may be written as its only item.
type OneOrMore[T any] []T

func (OneOrMore[T]) takesOne() {}

func (d *decoder) decodeSlice(node *yaml.Node, out reflect.Value, depth int) {
	if _, takesOne := out.Interface().(interface{ takesOne() }); takesOne && node.Kind == yaml.MappingNode {
		out.Set(reflect.MakeSlice(out.Type(), 1, 1))
		d.decode(node, out.Index(0), depth)
		return
	}
	if node.Kind != yaml.SequenceNode {
		d.mustf(node, "a list%s, not %s", ofMappings(out.Type().Elem()), kindOf(node))
		return
	}
	out.Set(reflect.MakeSlice(out.Type(), 0, len(node.Content)))
	mappings := ofMappings(out.Type().Elem()) != ""
	for i, item := range node.Content {
		before, element := len(d.mistakes), reflect.New(out.Type().Elem()).Elem()
		d.inside(fmt.Sprintf("[%d]", i), item, element, depth)
		if !mappings || isMapping(item) {
			out.Set(reflect.Append(out, element))
			continue
		}
		// The item is left out: it would be an entry without a position, in which everything is missing.
		if len(d.mistakes) == before { // null decodes into anything
			d.keys = append(d.keys, fmt.Sprintf("[%d]", i))
			d.mustf(item, "a mapping with the keys %s, not null", acceptedKeys(out.Type().Elem()))
			d.keys = d.keys[:len(d.keys)-1]
		}
	}
}

func isMapping(node *yaml.Node) bool {
	for node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	return node.Kind == yaml.MappingNode
}

// ofMappings describes the items of a list if they have keys of their own.
func ofMappings(item reflect.Type) string {
	itself := reflect.PointerTo(item).Implements(reflect.TypeFor[yaml.Unmarshaler]()) ||
		reflect.PointerTo(item).Implements(reflect.TypeFor[encoding.TextUnmarshaler]())
	if item.Kind() != reflect.Struct || itself {
		return ""
	}
	return " of mappings with the keys " + acceptedKeys(item)
}

// decodeScalar leaves numbers and booleans to the YAML library, with two exceptions: a number or boolean in
// place of a string is nearly always a missing quote, and the library cuts off the fraction of an integer.
func (d *decoder) decodeScalar(node *yaml.Node, out reflect.Value) {
	if node.Kind != yaml.ScalarNode {
		d.mustf(node, "%s, not %s", nameOf(out.Kind()), kindOf(node))
		return
	}
	if out.Kind() == reflect.String {
		if node.Tag == "!!int" || node.Tag == "!!float" || node.Tag == "!!bool" {
			d.mustf(node, "text, not %s; put it in quotes", kindOf(node))
			return
		}
		out.SetString(node.Value)
		return
	}
	if err := node.Decode(out.Addr().Interface()); err != nil || isInteger(out.Kind()) && node.ShortTag() != "!!int" {
		d.mustf(node, "%s, not %s", nameOf(out.Kind()), kindOf(node))
	}
}

func isInteger(kind reflect.Kind) bool { return kind >= reflect.Int && kind <= reflect.Uint64 }

func nameOf(kind reflect.Kind) string {
	switch kind {
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "text"
	case reflect.Float32, reflect.Float64:
		return "a number"
	default:
		return "an integer"
	}
}

func kindOf(node *yaml.Node) string {
	switch node.Kind {
	case yaml.MappingNode:
		return "a mapping"
	case yaml.SequenceNode:
		return "a list"
	}
	switch node.Tag {
	case "!!null":
		return "null"
	case "!!str":
		return fmt.Sprintf("the text %q", node.Value)
	default:
		return node.Value
	}
}

package overlay

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/diffrun/diffrun/backends/declarative/idl/internal/marker"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// A File is an overlay file. It adds markers to the types of packages that cannot be edited.
type File struct {
	Name     string
	Packages []string
	// Bundled means that lines without effect are not mistakes, and that other overlays replace the
	// markers.
	Bundled     bool
	Types       []*Type
	sets        []*markerSet
	expressions []*expression
}

// A Type is the entry of a Go type.
type Type struct {
	At       strictyaml.Position
	Name     string
	Versions []string      // empty for all
	Lines    []marker.Line // set by Link
	Closed   []marker.Line // set by Link: the lines whose gate is closed
	Fields   map[string]*Field
	except   []string // subresources whose requests the rules of the markers do not apply to
	written  []writtenLine
}

// A Field is the entry of a field of a type.
type Field struct {
	At      strictyaml.Position
	Lines   []marker.Line
	Closed  []marker.Line
	written []writtenLine
}

// decodedFile is the decoded YAML.
type decodedFile struct {
	Package     string                   `yaml:"package"`
	Packages    []string                 `yaml:"packages,omitempty"`
	Expressions map[string]string        `yaml:"expressions,omitempty"`
	Sets        map[string][]writtenLine `yaml:"sets,omitempty"`
	Types       map[string]decodedType   `yaml:"types"`
}

type decodedType struct {
	Except  []string                 `yaml:"except,omitempty"`
	Markers []writtenLine            `yaml:"markers,omitempty"`
	Fields  map[string][]writtenLine `yaml:"fields,omitempty"`
}

// writtenLine is a marker, or the use of a set, as it is written in a file.
type writtenLine struct {
	at        strictyaml.Position
	text      string // the marker
	set       string // the name of the set that is used
	below     string // the path below this type or field that the set is used for, such as ".spec.template"
	arguments map[string]string
}

// UnmarshalYAML implements yaml.Unmarshaler.
func (l *writtenLine) UnmarshalYAML(node *yaml.Node) error {
	l.at = strictyaml.Position{Line: node.Line, Column: node.Column}
	if node.Kind == yaml.MappingNode {
		return l.unmarshalUse(node)
	}
	if node.Kind != yaml.ScalarNode || node.Value == "" || (node.Value[0] != '+' && node.Value[0] != '-') {
		return fmt.Errorf(`a marker is text that begins with "+" (or "-" to remove the source's); put it in quotes or in a block. ` +
			`A set is used with {use: NAME, PARAMETER: VALUE}`)
	}
	l.text = strings.TrimSpace(node.Value)
	return nil
}

// unmarshalUse reads "use: NAME" and the arguments beside it.
func (l *writtenLine) unmarshalUse(node *yaml.Node) error {
	l.arguments = map[string]string{}
	var err error
	eachKey(node, func(key, value *yaml.Node) {
		_, again := l.arguments[key.Value]
		switch {
		case again || key.Value == "use" && l.set != "" || key.Value == "at" && l.below != "":
			err = fmt.Errorf("key %q is set twice", key.Value)
		case value.Kind != yaml.ScalarNode:
			err = fmt.Errorf("%s must be text: the value of a parameter", key.Value)
		case key.Value == "use":
			l.set = value.Value
		case key.Value == "at":
			l.below = value.Value
		default:
			l.arguments[key.Value] = strings.TrimSpace(value.Value)
		}
	})
	if err == nil && l.set == "" {
		err = fmt.Errorf("use is missing: the name of a set; the other keys are its parameters, and at a place below")
	}
	return err
}

// Read parses an overlay file. The error is a userfile.Mistakes. Whether its types, fields and
// markers exist is checked later, against the packages.
func Read(file string, data []byte) (*File, error) {
	var read decodedFile
	if err := strictyaml.Decode(file, data, &read); err != nil {
		return nil, err
	}
	keys, err := keyPositions(file, data)
	if err != nil {
		return nil, err
	}
	var mistakes strictyaml.Mistakes
	o := &File{Name: file, Packages: read.Packages}
	switch shares := len(read.Sets)+len(read.Expressions) > 0; {
	case read.Package != "" && len(read.Packages) > 0:
		mistakes.Addf(strictyaml.Position{File: file, Line: 1}, `the file has both "package" and "packages"; write one of the two`)
	case read.Package != "":
		o.Packages = []string{read.Package}
	case len(read.Packages) == 0 && (len(read.Types) > 0 || !shares):
		mistakes.Addf(strictyaml.Position{File: file, Line: 1}, `key "package" is missing: the Go package whose types the file is about`)
	}
	at := func(key string) strictyaml.Position { // a key merged in by "<<" has no position
		return cmp.Or(keys[key], strictyaml.Position{File: file})
	}
	for _, key := range slices.Sorted(maps.Keys(read.Types)) {
		written := read.Types[key]
		name, versions, narrowed := strings.Cut(key, "@")
		t := &Type{At: at(key), Name: name, except: written.Except, written: inFile(file, written.Markers), Fields: map[string]*Field{}}
		if narrowed {
			t.Versions = strings.Split(versions, ",")
		}
		if slices.Contains(t.Versions, "") {
			mistakes.Addf(t.At, "%q: write Type@version or Type@version,version", key)
		}
		if len(written.Except) > 0 && len(written.Markers) == 0 {
			mistakes.Addf(t.At, "%q has \"except\", but no markers that it applies to", key)
		}
		for name, lines := range written.Fields {
			t.Fields[name] = &Field{At: at(key + "." + name), written: inFile(file, lines)}
		}
		o.Types = append(o.Types, t)
	}
	for _, key := range slices.Sorted(maps.Keys(read.Expressions)) {
		o.expressions = append(o.expressions, &expression{
			signature: parseSignature(key, at("expressions "+key), &mistakes),
			cel:       strings.TrimSpace(read.Expressions[key]),
		})
	}
	for _, key := range slices.Sorted(maps.Keys(read.Sets)) {
		o.sets = append(o.sets,
			&markerSet{signature: parseSignature(key, at("sets "+key), &mistakes), written: inFile(file, read.Sets[key])})
	}
	return o, mistakes.Err()
}

func inFile(file string, written []writtenLine) []writtenLine {
	for i := range written {
		written[i].at.File = file
	}
	return written
}

// keyPositions returns the positions of types ("Type"), fields ("Type.field"), sets ("sets name")
// and expressions ("expressions name"). A decoded map does not have them.
func keyPositions(file string, data []byte) (map[string]strictyaml.Position, error) {
	var document struct {
		Types       yaml.Node `yaml:"types"`
		Sets        yaml.Node `yaml:"sets"`
		Expressions yaml.Node `yaml:"expressions"`
	}
	if err := yaml.Unmarshal(data, &document); err != nil {
		return nil, err
	}
	positions := map[string]strictyaml.Position{}
	note := func(name string, key *yaml.Node) {
		positions[name] = strictyaml.Position{File: file, Line: key.Line, Column: key.Column}
	}
	eachKey(&document.Sets, func(key, _ *yaml.Node) { note("sets "+key.Value, key) })
	eachKey(&document.Expressions, func(key, _ *yaml.Node) { note("expressions "+key.Value, key) })
	eachKey(&document.Types, func(key, value *yaml.Node) {
		note(key.Value, key)
		eachKey(value, func(section, fields *yaml.Node) {
			if section.Value != "fields" {
				return
			}
			eachKey(fields, func(field, _ *yaml.Node) { note(key.Value+"."+field.Value, field) })
		})
	})
	return positions, nil
}

func eachKey(mapping *yaml.Node, visit func(key, value *yaml.Node)) {
	if mapping.Kind == yaml.AliasNode {
		mapping = mapping.Alias
	}
	if mapping.Kind != yaml.MappingNode {
		return
	}
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		visit(mapping.Content[i], mapping.Content[i+1])
	}
}

// AppliesTo reports whether the file is about a package: it names the package or the folder of
// its versions.
func (o *File) AppliesTo(packagePath string) bool {
	return marker.InPackages(o.Packages, packagePath)
}

// AppliesTo reports whether the entry is about the version of a package.
func (t *Type) AppliesTo(packagePath string) bool {
	return len(t.Versions) == 0 || slices.Contains(t.Versions, path.Base(packagePath))
}

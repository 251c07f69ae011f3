package idl

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// An Overlay adds markers to the types of a package that cannot be edited. The package comment
// describes the file format.
type Overlay struct {
	File     string
	Packages []string
	// Bundled says that the overlay is about types that a root may have as fields, and not
	// about those of the packages of the roots. A line that nothing is made of is no mistake,
	// one that does not fit is in Result.Unexpressed, and other overlays replace its markers.
	Bundled     bool
	types       []*overlayType
	sets        []*ruleSet
	expressions []*expression
}

type overlayType struct {
	at       strictyaml.Position
	name     string
	versions []string // empty for all
	except   []string // the subresources in whose requests the rules of markers do not hold
	written  []overlayLine
	lines    []line // what link makes of written
	off      []line // those of them that do not hold with the options
	fields   map[string]*overlayField
}

type overlayField struct {
	at      strictyaml.Position
	written []overlayLine
	lines   []line
	off     []line
}

// overlayFile is the decoded file.
type overlayFile struct {
	Package     string                     `yaml:"package"`
	Packages    []string                   `yaml:"packages,omitempty"`
	Expressions map[string]string          `yaml:"expressions,omitempty"`
	Sets        map[string][]overlayLine   `yaml:"sets,omitempty"`
	Types       map[string]overlayTypeFile `yaml:"types"`
}

type overlayTypeFile struct {
	Except  []string                 `yaml:"except,omitempty"`
	Markers []overlayLine            `yaml:"markers,omitempty"`
	Fields  map[string][]overlayLine `yaml:"fields,omitempty"`
}

// overlayLine is a marker, or the use of a set, and its position in the file.
type overlayLine struct {
	at        strictyaml.Position
	text      string // of a marker
	set       string // the name of the set that is used
	below     string // the place below this one that the set is used for, as in ".spec.template"
	arguments map[string]string
}

// UnmarshalYAML implements yaml.Unmarshaler.
func (l *overlayLine) UnmarshalYAML(node *yaml.Node) error {
	l.at = strictyaml.Position{Line: node.Line, Column: node.Column}
	if node.Kind == yaml.MappingNode {
		return l.unmarshalUse(node)
	}
	if node.Kind != yaml.ScalarNode || node.Value == "" || (node.Value[0] != '+' && node.Value[0] != '-') {
		return fmt.Errorf(`a marker is text that begins with "+" (or "-" to remove the source's); put it in quotes or in a block. A set is used with {use: NAME, PARAMETER: VALUE}`)
	}
	l.text = strings.TrimSpace(node.Value)
	return nil
}

// unmarshalUse reads "use: NAME" and the arguments beside it.
func (l *overlayLine) unmarshalUse(node *yaml.Node) error {
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

// ReadOverlay parses an overlay file. The error is a userfile.Mistakes. Generate checks that its
// types, fields and markers exist.
func ReadOverlay(file string, data []byte) (*Overlay, error) {
	var read overlayFile
	if err := strictyaml.Decode(file, data, &read); err != nil {
		return nil, err
	}
	keys, err := keyPositions(file, data)
	if err != nil {
		return nil, err
	}
	var mistakes strictyaml.Mistakes
	o := &Overlay{File: file, Packages: read.Packages}
	switch shares := len(read.Sets)+len(read.Expressions) > 0; {
	case read.Package != "" && len(read.Packages) > 0:
		mistakes.Addf(strictyaml.Position{File: file, Line: 1}, `the file has both "package" and "packages"; write one of the two`)
	case read.Package != "":
		o.Packages = []string{read.Package}
	case len(read.Packages) == 0 && (len(read.Types) > 0 || !shares):
		mistakes.Addf(strictyaml.Position{File: file, Line: 1}, `key "package" is missing: the Go package whose types the file is about`)
	}
	at := func(key string) strictyaml.Position { // a key that "<<" merged in has no place of its own
		return cmp.Or(keys[key], strictyaml.Position{File: file})
	}
	for _, key := range slices.Sorted(maps.Keys(read.Types)) {
		written := read.Types[key]
		name, versions, narrowed := strings.Cut(key, "@")
		t := &overlayType{at: at(key), name: name, except: written.Except, written: linesOf(file, written.Markers), fields: map[string]*overlayField{}}
		if narrowed {
			t.versions = strings.Split(versions, ",")
		}
		if slices.Contains(t.versions, "") {
			mistakes.Addf(t.at, "%q: write Type@version or Type@version,version", key)
		}
		if len(written.Except) > 0 && len(written.Markers) == 0 {
			mistakes.Addf(t.at, "%q has \"except\", which is about the rules of its markers, and there are none", key)
		}
		for name, lines := range written.Fields {
			t.fields[name] = &overlayField{at: at(key + "." + name), written: linesOf(file, lines)}
		}
		o.types = append(o.types, t)
	}
	for _, key := range slices.Sorted(maps.Keys(read.Expressions)) {
		o.expressions = append(o.expressions, &expression{signature: signed(key, at("expressions "+key), &mistakes), cel: strings.TrimSpace(read.Expressions[key])})
	}
	for _, key := range slices.Sorted(maps.Keys(read.Sets)) {
		o.sets = append(o.sets, &ruleSet{signature: signed(key, at("sets "+key), &mistakes), written: linesOf(file, read.Sets[key])})
	}
	return o, mistakes.Err()
}

func linesOf(file string, written []overlayLine) []overlayLine {
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

// concerns reports whether an overlay applies to a package: it names the package or the folder of
// its versions.
func (o *Overlay) concerns(packagePath string) bool { return isIn(o.Packages, packagePath) }

// isIn reports whether packages have a package, or the folder of its versions.
func isIn(packages []string, packagePath string) bool {
	return slices.Contains(packages, packagePath) || slices.Contains(packages, path.Dir(packagePath))
}

func (t *overlayType) concerns(packagePath string) bool {
	return len(t.versions) == 0 || slices.Contains(t.versions, path.Base(packagePath))
}

// overlays is all overlay files of a run.
type overlays []*Overlay

// forType returns the entries for a type.
func (all overlays) forType(t *goType) []*overlayType {
	var found []*overlayType
	for _, o := range all {
		if !o.concerns(t.in.path) || o.Bundled && all.asIs(t) {
			continue
		}
		for _, entry := range o.types {
			if entry.name == t.spec.Name.Name && entry.concerns(t.in.path) {
				found = append(found, entry)
			}
		}
	}
	return found
}

// asIs reports whether bundled overlays leave a type alone: one of the packages of the roots, and
// the metadata of objects, which the API server validates by itself.
func (all overlays) asIs(t *goType) bool {
	return t.in.root || slices.Contains([]string{"ObjectMeta", "OwnerReference", "ManagedFieldsEntry"}, t.spec.Name.Name)
}

func typeLines(entries []*overlayType) []line {
	var lines []line
	for _, entry := range entries {
		lines = append(lines, entry.lines...)
	}
	return lines
}

func fieldLines(entries []*overlayType, name string) []line {
	var lines []line
	for _, entry := range entries {
		if field, ok := entry.fields[name]; ok {
			lines = append(lines, field.lines...)
		}
	}
	return lines
}

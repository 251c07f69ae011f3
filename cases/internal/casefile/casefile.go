package casefile

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/internal/text/oneof"
)

// caseFile is a decoded case file. Unlike other files it is kept in memory, because people write it
// by hand.
type caseFile struct {
	strictyaml.Position `yaml:"-"`

	// Target is the version of cases that name none.
	Target Target `yaml:"target"`
	// Objects are the named objects that cases start from.
	Objects map[string]mapping `yaml:"objects"`
	Cases   []fileCase         `yaml:"cases"`

	id string // of the file, in the ids of its cases
}

// fileCase is one case of a case file.
type fileCase struct {
	strictyaml.Position `yaml:"-"`

	Name        Name     `yaml:"name"`
	Why         string   `yaml:"why"`
	Target      Target   `yaml:"target"`
	New         recipe   `yaml:",inline"`
	Old         *recipe  `yaml:"old"`
	Operation   string   `yaml:"operation"`
	Request     *address `yaml:"request"`
	Subresource string   `yaml:"subresource"`
	Cluster     []start  `yaml:"cluster"`
	User        *user    `yaml:"user"`
	Want        want     `yaml:"want"`
}

// Name is the name of a case or of a set of options. Given is true even if it could not be
// decoded.
type Name struct {
	Text  string
	Given bool
}

// UnmarshalYAML rejects names that are empty or not strings.
func (n *Name) UnmarshalYAML(node *yaml.Node) error {
	n.Given = true
	switch {
	case node.Kind != yaml.ScalarNode:
		return errors.New("must be text")
	case node.Value == "" || node.Tag == "!!null":
		return errors.New("must not be empty; reports identify it by its name")
	case node.Tag != "!!str":
		return fmt.Errorf("must be text, not %s; put it in quotes", node.Value)
	}
	n.Text = node.Value
	return nil
}

// JSONSchema implements strictyaml.Described.
func (Name) JSONSchema() map[string]any { return map[string]any{"type": "string", "minLength": 1} }

// recipe describes how to create an object: a start, and patches.
type recipe struct {
	At strictyaml.Position `yaml:"-"`

	Object    start    `yaml:"object"`
	Patch     mapping  `yaml:"patch"`
	JSONPatch sequence `yaml:"jsonPatch"`
}

// want is what the native validator must return: a list of errors, or only its decision.
type want struct {
	node     *yaml.Node // the list; nil: none
	decision words.Decision
	errors   []expectation // of node
}

// UnmarshalYAML keeps a list for later, so that its mistakes have their own lines.
func (w *want) UnmarshalYAML(node *yaml.Node) error {
	switch {
	case node.Kind == yaml.SequenceNode:
		w.node = node
	case node.Kind == yaml.ScalarNode && slices.Contains(words.Decisions(), words.Decision(node.Value)):
		w.decision = words.Decision(node.Value)
	case node.Tag != "!!null":
		return fmt.Errorf("must be a list of errors, or one of the words %s", oneof.List(words.Decisions()))
	}
	return nil
}

// JSONSchema implements strictyaml.Described.
func (want) JSONSchema() map[string]any {
	list, err := strictyaml.JSONSchema(reflect.TypeFor[[]expectation](), nil)
	if err != nil {
		panic(err) // its types describe themselves
	}
	return map[string]any{"anyOf": []any{list, map[string]any{"enum": words.Decisions()}}}
}

// decode reads the list of errors.
func (w *want) decode(file string) error {
	if w.node == nil {
		return nil
	}
	key := &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: "want", Line: w.node.Line}
	read := struct {
		Want []expectation `yaml:"want"`
	}{}
	err := strictyaml.DecodeNode(file, &yaml.Node{
		Kind:    yaml.MappingNode,
		Tag:     "!!map",
		Line:    w.node.Line,
		Content: []*yaml.Node{key, w.node},
	}, &read)
	w.errors = read.Want
	return err
}

// address is the name and namespace in the path of the request of a case.
type address struct {
	strictyaml.Position `yaml:"-"`

	Name      string `yaml:"name"`
	Namespace string `yaml:"namespace"`
}

// user is who sends the request of a case.
type user struct {
	At strictyaml.Position `yaml:"-"`

	Name   string   `yaml:"name"`
	Groups []string `yaml:"groups"`
}

// expectation is an expected error.
type expectation struct {
	At strictyaml.Position `yaml:"-"`

	Type   errorType `yaml:"type"`
	Field  string    `yaml:"field"`
	Detail string    `yaml:"detail"`
}

// parseCaseFile decodes a case file. It does not decode the content of objects and patches: a
// mistake there is a fault of the case that uses it.
func parseCaseFile(name string, data []byte) (*caseFile, error) {
	var file caseFile
	err := strictyaml.Decode(name, data, &file)
	if file.Position.File == "" {
		return nil, err // not even a mapping
	}
	var mistakes strictyaml.Mistakes
	mistakes.Merge(name, err)
	if len(file.Cases) == 0 && !slices.ContainsFunc(mistakes, func(m strictyaml.Mistake) bool {
		return strings.HasPrefix(m.Message, "cases")
	}) {
		mistakes.Addf(file.Position, "the file has no cases; list them under \"cases\"")
	}
	lines := map[string]int{}
	for i := range file.Cases {
		c := &file.Cases[i]
		mistakes.Merge(name, c.Want.decode(name))
		file.check(c, &mistakes)
		if first, twice := lines[c.Name.Text]; twice && c.Name.Text != "" {
			mistakes.Addf(c.Position, "case %q is defined twice; first in line %d", c.Name.Text, first)
			continue
		}
		lines[c.Name.Text] = c.Line
	}
	return &file, mistakes.Err()
}

// check reports mistakes that decoding cannot find. It skips values that could not be decoded,
// because these were reported.
func (f *caseFile) check(e *fileCase, mistakes *strictyaml.Mistakes) {
	if !e.Name.Given {
		mistakes.Addf(e.Position, "the case has no name")
	}
	if !e.New.Object.given() {
		mistakes.Addf(e.Position, "the case has no object; add one, or the name of one under \"objects\"")
	}
	if err := fitsOperation(e.Operation, e.Old != nil); err != nil {
		mistakes.Addf(e.Position, "%v", err)
	}
	if e.Old != nil && e.Old.At.File != "" && !e.Old.Object.given() {
		mistakes.Addf(e.Position, "old has no object; write old: {object: …}, with one, or with the name of one under \"objects\"")
	}
	if e.User != nil && e.User.At.File != "" && e.User.Name == "" {
		mistakes.Addf(e.User.At, "user has no name; write user: {name: …, groups: […]}")
	}
	for _, recipe := range e.recipes() {
		if recipe.Patch.node != nil && recipe.JSONPatch.node != nil {
			mistakes.Addf(e.Position, "patch and jsonPatch exclude each other")
		}
		f.checkName(e, recipe.Object, mistakes)
	}
	for _, object := range e.Cluster {
		f.checkName(e, object, mistakes)
	}
	for _, want := range e.Want.errors {
		if want.At.File != "" && want.Type == "" {
			mistakes.Addf(e.Position, "an error under \"want\" has no type; accepted: %s", oneof.OrNone(errorTypes()))
		}
	}
}

// checkName reports the name of an object that the file does not have.
func (f *caseFile) checkName(e *fileCase, of start, mistakes *strictyaml.Mistakes) {
	if _, known := f.Objects[of.name]; of.name != "" && !known {
		at := strictyaml.Position{File: e.File, Line: of.line}
		mistakes.Addf(at, "no object %q under \"objects\"; accepted: %s", of.name, oneof.OrNone(slices.Sorted(maps.Keys(f.Objects))))
	}
}

func (e *fileCase) recipes() []*recipe {
	if e.Old == nil {
		return []*recipe{&e.New}
	}
	return []*recipe{&e.New, e.Old}
}

// Target is a version of a kind, written as "apps/v1 Deployment".
type Target struct{ schema.GroupVersionKind }

// UnmarshalText parses the name of a target.
func (t *Target) UnmarshalText(text []byte) (err error) {
	t.GroupVersionKind, err = apiname.ParseTarget(string(text))
	return err
}

// errorType is a field.ErrorType that rejects unknown values.
type errorType field.ErrorType

// errorTypes returns the error types of apimachinery.
func errorTypes() []errorType {
	types := []errorType{
		errorType(field.ErrorTypeDuplicate), errorType(field.ErrorTypeForbidden), errorType(field.ErrorTypeInternal),
		errorType(field.ErrorTypeInvalid), errorType(field.ErrorTypeNotFound), errorType(field.ErrorTypeNotSupported),
		errorType(field.ErrorTypeRequired), errorType(field.ErrorTypeTooFew), errorType(field.ErrorTypeTooLong),
		errorType(field.ErrorTypeTooMany), errorType(field.ErrorTypeTooShort), errorType(field.ErrorTypeTypeInvalid),
	}
	slices.Sort(types)
	return types
}

func (t *errorType) UnmarshalText(text []byte) error {
	*t = errorType(text)
	if !slices.Contains(errorTypes(), *t) {
		return fmt.Errorf("unknown error type %q; accepted: %s", text, oneof.OrNone(errorTypes()))
	}
	return nil
}

// JSONSchema implements strictyaml.Described.
func (errorType) JSONSchema() map[string]any { return map[string]any{"enum": errorTypes()} }

// start is the start of a recipe: a mapping, or the name of an object.
type start struct {
	node *yaml.Node
	name string
	line int
}

func (s *start) UnmarshalYAML(node *yaml.Node) error {
	s.line = node.Line
	switch {
	case node.Kind == yaml.MappingNode:
		s.node = node
	case node.Kind == yaml.ScalarNode && node.Tag != "!!null" && node.Value != "":
		s.name = node.Value
	default:
		return errors.New("must be a mapping, or the name of one under \"objects\"")
	}
	return nil
}

// JSONSchema implements strictyaml.Described.
func (start) JSONSchema() map[string]any {
	return map[string]any{"type": []string{"object", "string"}, "minLength": 1}
}

// given is also true if the value could not be decoded.
func (s start) given() bool { return s.line != 0 }

// mapping is a mapping whose content is decoded later.
type mapping struct{ node *yaml.Node }

func (m *mapping) UnmarshalYAML(node *yaml.Node) error {
	m.node = node
	if node.Kind != yaml.MappingNode {
		return errors.New("must be a mapping")
	}
	return nil
}

// JSONSchema implements strictyaml.Described.
func (mapping) JSONSchema() map[string]any { return map[string]any{"type": "object"} }

// sequence is a list whose content is decoded later.
type sequence struct{ node *yaml.Node }

func (s *sequence) UnmarshalYAML(node *yaml.Node) error {
	s.node = node
	if node.Kind != yaml.SequenceNode {
		return errors.New("must be a list of JSON patch operations (RFC 6902)")
	}
	return nil
}

// JSONSchema implements strictyaml.Described.
func (sequence) JSONSchema() map[string]any {
	return map[string]any{"type": "array", "items": map[string]any{"type": "object"}}
}

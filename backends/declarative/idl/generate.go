package idl

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/userfile"
)

// Config says what to make schemas of.
type Config struct {
	// Dir is where the go command looks packages up; empty for the working directory.
	Dir string
	// Roots are the types that schemas are wanted of.
	Roots []TypeName
	// Overlays add markers to types that cannot be edited.
	Overlays []*Overlay
	// Dialects read the markers; the first that knows one has it. Empty for all that there
	// are: see [Dialects].
	Dialects []Dialect
	Reading
}

// Reading says how markers are read. In the zero value none is left out without a word.
type Reading struct {
	// IgnoreUnknown leaves out markers that look like those of a dialect and are none.
	// Otherwise they are mistakes, in the packages of the roots and in all packages of the
	// same module that the roots reach.
	IgnoreUnknown bool
	// Stage says which of upstream's validations are taken that are not stable.
	Stage Stage
	// Options are those of +k8s:ifEnabled that are enabled; in Kubernetes they are feature gates.
	Options []string
}

// TypeName names a Go type.
type TypeName struct {
	Package string // import path
	Name    string
}

// Definition is the name of the type's schema: its Go name below its reversed
// import path, as Kubernetes publishes it.
func (n TypeName) Definition() string { return definitionName(n.Package, n.Name) }

// Result is the schemas of the roots and of all that they reach.
type Result struct {
	// Definitions are the schemas by name; a $ref is "#/definitions/" and a name.
	Definitions map[string]*spec.Schema
	// Declared are the overlays' validations, in the order of files and lines.
	Declared []Declaration
	// Unexpressed are the markers of the sources that no schema can say, sorted by place.
	Unexpressed []Unexpressed
}

// Unexpressed is a marker without an effect, and why it has none.
type Unexpressed struct {
	userfile.Position
	Text, Why string
}

// Declaration is one line of an overlay that declares a validation.
type Declaration struct {
	userfile.Position
	Text     string
	Packages []string // Go packages in which it took effect, sorted
}

// Generate makes the schemas. Its error is a userfile.Mistakes with every
// mistake of the sources and overlays, unless the packages cannot be loaded.
func Generate(config Config) (*Result, error) {
	b, err := newBuilder(config)
	if err != nil {
		return nil, err
	}
	b.checkOverlayLines()
	for _, root := range config.Roots {
		if err := b.addRoot(root); err != nil {
			return nil, err
		}
	}
	b.checkOverlaysUsed()
	b.checkSources()
	if err := b.mistakes.Err(); err != nil {
		return nil, err
	}
	for _, definition := range b.definitions {
		settle(definition)
	}
	return &Result{Definitions: reachable(b.definitions, config.Roots), Declared: b.ledger.declared(), Unexpressed: sortedPlaces(b.unexpressed)}, nil
}

func sortedPlaces(all []Unexpressed) []Unexpressed {
	slices.SortFunc(all, func(a, b Unexpressed) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), strings.Compare(a.Text, b.Text))
	})
	return slices.Compact(all)
}

func newBuilder(config Config) (*builder, error) {
	dialects := config.Dialects
	if len(dialects) == 0 {
		var err error
		if dialects, err = Dialects(config.Reading); err != nil {
			return nil, err
		}
	}
	var packages []string
	for _, root := range config.Roots {
		packages = append(packages, root.Package)
	}
	slices.Sort(packages)
	loaded, err := loadSources(config.Dir, slices.Compact(packages))
	if err != nil {
		return nil, err
	}
	return &builder{
		sources: loaded, dialects: dialects, overlays: config.Overlays, ledger: newLedger(),
		vocabulary: newVocabulary(dialects), ignoreUnknown: config.IgnoreUnknown,
		definitions: map[string]*spec.Schema{}, building: map[string]bool{}, expanding: map[*goType]bool{}, structs: map[*spec.Schema]*structState{},
	}, nil
}

func (b *builder) addRoot(root TypeName) error {
	in, err := b.sources.root(root.Package)
	if err != nil {
		return err
	}
	t, ok := in.types[root.Name]
	if !ok {
		return fmt.Errorf("package %s has no type %s; it has %s", root.Package, root.Name, strings.Join(slices.Sorted(maps.Keys(in.types)), ", "))
	}
	node, _ := b.named(t)
	name := root.Definition()
	if ref, ok := refName(&node); !ok || ref != name {
		if ok {
			b.inline(&node, ref) // another name of a struct: a definition of its own
		}
		b.definitions[name] = &node
	}
	return nil
}

// settle brings what was collected in the order of the source into one order.
func settle(s *spec.Schema) {
	slices.Sort(s.Required)
	s.Required = slices.Compact(s.Required)
	for name, property := range s.Properties {
		settle(&property)
		s.Properties[name] = property
	}
	if s.Items != nil {
		settle(s.Items.Schema)
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		settle(s.AdditionalProperties.Schema)
	}
}

// reachable leaves out definitions that only served as copies, such as those
// of inlined structs.
func reachable(definitions map[string]*spec.Schema, roots []TypeName) map[string]*spec.Schema {
	kept := map[string]*spec.Schema{}
	var keep func(name string)
	keep = func(name string) {
		if kept[name] != nil {
			return
		}
		kept[name] = definitions[name]
		eachRef(definitions[name], keep)
	}
	for _, root := range roots {
		keep(root.Definition())
	}
	return kept
}

// eachRef visits the definitions that a schema refers to.
func eachRef(s *spec.Schema, visit func(name string)) {
	if name, ok := refName(s); ok {
		visit(name)
	}
	for _, property := range s.Properties {
		eachRef(&property, visit)
	}
	for i := range s.AllOf {
		eachRef(&s.AllOf[i], visit)
	}
	if s.Items != nil {
		eachRef(s.Items.Schema, visit)
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		eachRef(s.AdditionalProperties.Schema, visit)
	}
}

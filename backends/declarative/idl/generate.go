package idl

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/idl/internal/gotypes"
	"github.com/diffrun/diffrun/backends/declarative/idl/internal/overlay"
	"github.com/diffrun/diffrun/backends/declarative/idl/internal/target"
	"github.com/diffrun/diffrun/internal/openapi"
	"github.com/diffrun/diffrun/userfile"
)

// Config selects the types to generate schemas for.
type Config struct {
	// Dir is the directory to run the go command in. If empty, it is the working directory.
	Dir string
	// Roots are the types to generate schemas for, together with the types they refer to.
	Roots []TypeName
	// Overlays add markers to types that cannot be edited.
	Overlays []*Overlay
	// Dialects parse the markers. The first dialect that knows a marker applies it. The default is
	// the dialect of KEP-4153.
	Dialects []Dialect
	// Optional makes fields optional unless they have a marker, whatever their Go types. Otherwise a
	// field without omitempty is required.
	Optional bool
	Reading
}

// Reading controls how unknown markers are handled. The zero value reports them.
type Reading struct {
	// IgnoreUnknown ignores misspelled markers. Otherwise they are mistakes, in the packages of
	// the roots and in all packages of the same module that the roots refer to.
	IgnoreUnknown bool
	// Stage selects upstream's validations by their stability.
	Stage Stage
	// Options lists the enabled options of +k8s:ifEnabled, and of +ifEnabled in overlays. In
	// Kubernetes they are feature gates.
	Options []string
}

// TypeName names a Go type.
type TypeName struct {
	Package string // import path
	Name    string
}

// Definition returns the name of the type's schema: the reversed import path and the Go name, as
// Kubernetes publishes it.
func (n TypeName) Definition() string { return definitionName(n.Package, n.Name) }

// Result contains the schemas of the roots and of all types they refer to.
type Result struct {
	// Definitions maps names to schemas. A $ref is "#/definitions/" and a name.
	Definitions map[string]*spec.Schema
	// Declared lists the validations of the overlays, ordered by file and line.
	Declared []Declaration
	// Origins maps the places of the definitions, "definitions[NAME].…", to lines.
	Origins Origins
	// Foreign reports by file whether the author of the types cannot edit it, because it belongs to
	// another module.
	Foreign map[string]bool
	// Options lists the options that the overlays name, sorted; see Reading.
	Options []string
	// Unexpressed lists the markers that no schema can express, sorted by position.
	Unexpressed []Unexpressed
}

// Unexpressed is a marker without an effect, and why it has none.
type Unexpressed struct {
	userfile.Position
	Text, Why string
}

// Declaration is one validation in an overlay.
type Declaration struct {
	userfile.Position
	// Used is where a type or field uses the set that has the validation. It is the zero Position
	// for a validation that is written at its type or field.
	Used     userfile.Position
	Text     string
	Packages []string // Go packages in which it took effect, sorted
}

// Generate generates the schemas. If the packages can be loaded, the error is a userfile.Mistakes
// with all mistakes in sources and overlays. With mistakes in markers the result lacks these markers;
// it is nil if the types themselves have no schema.
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
	if b.misshapen {
		return nil, b.mistakes.Err()
	}
	made := &Result{
		Definitions: reachable(b.schemas.Definitions, config.Roots), Origins: Origins{}, Foreign: b.foreign(),
		Options: b.overlays.Options(), Declared: b.usage.declared(), Unexpressed: sortedPlaces(b.unexpressed),
	}
	for name, definition := range made.Definitions {
		made.Definitions[name] = made.Origins.collect(sortRequired(definition), field.NewPath("definitions").Key(name))
	}
	return made, b.mistakes.Err()
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
	loaded, err := gotypes.Load(config.Dir, slices.Compact(packages))
	if err != nil {
		return nil, err
	}
	bundled := map[string]bool{}
	var files []*overlay.File
	for _, each := range config.Overlays {
		files = append(files, each.named())
		if each.Bundled {
			bundled[each.File] = true
		}
	}
	linked, mistakes, err := overlay.Link(withoutUnreached(files, loaded.Reachable()), config.Options)
	if err != nil {
		return nil, err
	}
	b := &builder{
		sources: loaded, dialects: dialects, vocabulary: vocabularyOf(dialects), overlays: linked, bundled: bundled,
		ignoreUnknown: config.IgnoreUnknown, optional: config.Optional,
		expanding: map[*gotypes.Type]bool{}, usage: newUsage(), mistakes: mistakes,
	}
	b.schemas = target.NewSchemas(b.fail)
	return b, nil
}

func (b *builder) addRoot(root TypeName) error {
	in, err := b.sources.Root(root.Package)
	if err != nil {
		return err
	}
	t, ok := in.Types[root.Name]
	if !ok {
		return fmt.Errorf("package %s has no type %s; it has %s", root.Package, root.Name,
			strings.Join(slices.Sorted(maps.Keys(in.Types)), ", "))
	}
	node, _ := b.named(t)
	name := root.Definition()
	if ref, ok := target.RefName(&node); !ok || ref != name {
		if ok {
			b.schemas.Inline(&node, ref) // an alias of a struct gets its own definition
		}
		b.schemas.Definitions[name] = &node
	}
	return nil
}

// sortRequired returns a schema with sorted required fields, which were collected in source order.
func sortRequired(s *spec.Schema) *spec.Schema {
	sorted := openapi.MapChildren(s, func(child openapi.Child) *spec.Schema { return sortRequired(child.Schema) })
	sorted.Required = slices.Compact(slices.Sorted(slices.Values(s.Required)))
	return sorted
}

// reachable removes definitions that no root refers to, such as those of inlined structs.
func reachable(definitions map[string]*spec.Schema, roots []TypeName) map[string]*spec.Schema {
	kept := map[string]*spec.Schema{}
	var keep func(name string)
	keep = func(name string) {
		if kept[name] != nil {
			return
		}
		kept[name] = definitions[name]
		for other := range openapi.ReferencedDefinitions(definitions[name]) {
			keep(other)
		}
	}
	for _, root := range roots {
		keep(root.Definition())
	}
	return kept
}

package cases

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/declarative/customresource"
	"github.com/diffrun/diffrun/backends/declarative/idl"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/internal/gomodule/hubconversion"
	"github.com/diffrun/diffrun/internal/schema/gosource"
	"github.com/diffrun/diffrun/internal/text/oneof"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// goType names a Go type whose markers define the schema (KEP-4153, "IDL tags").
type goType struct {
	strictyaml.Position `yaml:"-"`

	// Package is an import path, or a path that begins with a dot and is relative to the suite's
	// directory. The go command finds it there.
	Package string `yaml:"package"`
	// Packages are those of several versions of one kind.
	Packages []string `yaml:"packages"`
	Type     string   `yaml:"type"`
	// Kind is the kind of the objects. It is required if the package has no +groupName.
	Kind target `yaml:"kind"`
	// Resource is the plural of the kind, for webhooks. The default is a guess.
	Resource string `yaml:"resource"`
	// Overlays add markers to types that cannot be edited.
	Overlays []reference `yaml:"overlays"`
	// UnknownMarkers is "ignore" to ignore misspelled markers.
	UnknownMarkers string `yaml:"unknownMarkers"`
	// Conventions, Stage and Options say how the markers are read.
	Conventions gosource.Conventions `yaml:"conventions"`
	Stage       string               `yaml:"stage"`
	Options     []string             `yaml:"options"`
	// BundledRules says whether types of Kubernetes that a definition has as fields have the
	// validations of the built-in kinds; nil: they have.
	BundledRules *bool `yaml:"bundledRules"`
	// Conversion says how objects get from one version to another; empty: through the hub of the
	// project if the type has its methods.
	Conversion string `yaml:"conversion"`
}

// What conversion accepts.
const (
	conversionHub  = "hub"
	conversionNone = "none"
)

// loadGoType generates the schema of a Go type. The error is a userfile.Mistakes.
func (l *loader) loadGoType(wanted *goType) (*resources, error) {
	made := newResourcesAs(l.loadKEPs(l.file.Declarative))
	mistakes := wanted.mistakes(l.Files.OnDisk)
	overlays := l.readOverlays(wanted, &mistakes)
	if len(mistakes) > 0 {
		return made, mistakes
	}
	source, err := gosource.Load(wanted.reference(), gosource.Config{
		Dir: l.goDir(), Conventions: wanted.Conventions, Overlays: overlays, Reading: wanted.reading(l.shared.options.Markers),
		Check: wanted.checkKind, Root: true, BundledRules: wanted.BundledRules == nil || *wanted.BundledRules,
	})
	if err == nil {
		l.warnOfUnexpressed(source.Unexpressed)
		err = l.addGoType(made, wanted, source)
	}
	if read := (strictyaml.Mistakes)(nil); err != nil && !errors.As(err, &read) {
		mistakes.Addf(wanted.Position, "go: %v", plaintext.Error(err))
		return made, mistakes
	}
	return made, err
}

// addGoType adds what was made of a type: a definition, or a schema of the kind that the suite
// or the package names.
func (l *loader) addGoType(made *resources, wanted *goType, source *gosource.Source) error {
	if d := source.Definition; d != nil {
		picked, err := d.Pick("")
		if err != nil {
			return err
		}
		converter, err := l.converter(wanted)
		if err != nil {
			return err
		}
		l.suite.wrote(picked)
		said, err := made.addDefinition(d, picked, converter)
		return l.checkDefinition(d, said, err)
	}
	l.suite.declares(wanted.kindIn(source.Found), source.At)
	return source.Placed(made.addReferring(wanted.kindIn(source.Found), wanted.Resource, source.Root, source.Definitions))
}

// converter builds the program that converts objects through the hub of the project. Nil: equal
// JSON is what converts them.
func (l *loader) converter(wanted *goType) (customresource.Converter, error) {
	packages := wanted.reference().Packages
	if wanted.Conversion == conversionNone || len(packages) == 1 {
		return nil, nil
	}
	project, err := hubconversion.Find(l.goDir(), packages, wanted.Type)
	if err != nil {
		return nil, err
	}
	if project == nil && wanted.Conversion == conversionHub {
		return nil, fmt.Errorf("conversion: hub: no version of %s has the methods of controller-runtime's conversion: Hub on one version, ConvertTo and ConvertFrom on the others", wanted.Type)
	}
	if project == nil {
		return nil, nil
	}
	converter, err := project.Build(context.Background())
	if err != nil {
		return nil, fmt.Errorf("the program with the conversion methods of %s cannot be built; \"conversion: none\" does without: %w", wanted.Type, err)
	}
	l.suite.closers, l.suite.converters = append(l.suite.closers, converter), append(l.suite.converters, converter)
	return converter, nil
}

// goDir is where the go command runs.
func (l *loader) goDir() string { return filepath.FromSlash(path.Dir(l.Name)) }

// checkKind reports a type whose kind nobody names.
func (g *goType) checkKind(found idl.Package) error {
	var mistakes strictyaml.Mistakes
	if g.kindIn(found).Empty() {
		mistakes.Addf(g.Position, "package %s has no marker +groupName; name the kind, for instance \"kind: example.com/v1 %s\"", found.Path, g.Type)
	}
	return mistakes.Err()
}

// mistakes are those of the keys.
func (g *goType) mistakes(onDisk bool) strictyaml.Mistakes {
	var mistakes strictyaml.Mistakes
	add := func(wrong bool, format string, args ...any) {
		if wrong {
			mistakes.Addf(g.Position, format, args...)
		}
	}
	add(g.Package == "" && len(g.Packages) == 0 || g.Type == "", "go must name a package and a type in it")
	add(g.Package != "" && len(g.Packages) > 0, "go names a package and packages; write one of the two")
	for _, err := range []error{
		oneof.Check("unknownMarkers", g.UnknownMarkers, "", "ignore"),
		oneof.Check("stage", g.Stage, append(idl.StageNames(), "")...),
		oneof.Check("conventions", g.Conventions, "", gosource.OfKEP, gosource.OfCRD),
		oneof.Check("conversion", g.Conversion, "", conversionHub, conversionNone),
	} {
		add(err != nil, "%v", err)
	}
	add(g.Conversion == conversionHub && len(g.Packages) < 2, "conversion: hub is about several versions; name their packages under \"packages\"")
	add(len(mistakes) == 0 && !onDisk, "only a suite on disk can name a Go package")
	return mistakes
}

func (g *goType) reference() gosource.Reference {
	if len(g.Packages) > 0 {
		return gosource.Reference{Packages: g.Packages, Type: g.Type}
	}
	return gosource.Reference{Packages: []string{g.Package}, Type: g.Type}
}

// reading is how markers are read: as the suite says, or else as the command does.
func (g *goType) reading(given idl.Reading) idl.Reading {
	given.IgnoreUnknown = given.IgnoreUnknown || g.UnknownMarkers != ""
	if stage, ok := idl.StageNamed(g.Stage); ok {
		given.Stage = stage
	}
	if g.Options != nil {
		given.Options = g.Options
	}
	return given
}

// warnOfUnexpressed warns about markers that the schema cannot express.
func (l *loader) warnOfUnexpressed(all []idl.Unexpressed) {
	for _, each := range all {
		l.shared.warnings.Addf(each.Position, "the schema cannot express this: %s", each.Why)
	}
}

func (l *loader) readOverlays(wanted *goType, mistakes *strictyaml.Mistakes) []*idl.Overlay {
	var overlays []*idl.Overlay
	for _, ref := range wanted.Overlays {
		data, ok := l.read(ref)
		if !ok {
			continue // that is a mistake already
		}
		overlay, err := idl.ReadOverlay(l.resolve(ref), data)
		mistakes.Merge(l.resolve(ref), err)
		overlays = append(overlays, overlay)
	}
	return overlays
}

// kindIn returns the kind of the objects. It is empty if neither the suite nor the package names
// it.
func (g *goType) kindIn(found idl.Package) schema.GroupVersionKind {
	switch {
	case !g.Kind.Empty():
		return g.Kind.GroupVersionKind
	case found.GroupVersion.Empty():
		return schema.GroupVersionKind{}
	}
	return found.GroupVersion.WithKind(g.Type)
}

package cases

import (
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/declarative/apiresource"
	"github.com/diffrun/diffrun/backends/declarative/idl"
	"github.com/diffrun/diffrun/cases/internal/suitefile"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/internal/gomodule/hubconversion"
	"github.com/diffrun/diffrun/internal/schema/gosource"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// loadGoType generates the schema of a Go type. The error is a userfile.Mistakes.
func (l *loader) loadGoType(wanted *suitefile.GoType) (*resources, error) {
	made := newResourcesAs(l.loadKEPs(l.file.Declarative))
	mistakes := wanted.Mistakes(l.Files.OnDisk)
	overlays := l.readOverlays(wanted, &mistakes)
	if len(mistakes) > 0 {
		return made, mistakes
	}
	source, err := gosource.Load(wanted.Reference(), gosource.Config{
		Dir: l.goDir(), Conventions: wanted.Conventions, Overlays: overlays, Reading: wanted.Reading(l.shared.options.Markers),
		Check: wanted.CheckKind, Root: true, BundledRules: wanted.BundledRules == nil || *wanted.BundledRules,
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

// addGoType adds the schema of a type: a definition, or a schema of the kind that the suite or the package
// names.
func (l *loader) addGoType(made *resources, wanted *suitefile.GoType, source *gosource.Source) error {
	if d := source.Definition; d != nil {
		picked, err := d.Pick("")
		if err != nil {
			return err
		}
		converter, err := l.converter(wanted)
		if err != nil {
			return err
		}
		l.suite.addPositions(picked)
		said, err := made.addDefinition(picked, converter)
		return l.checkDefinition(d, said, err)
	}
	l.suite.addPosition(wanted.KindIn(source.Found), source.At)
	l.suite.goPackages = map[schema.GroupVersionKind]string{wanted.KindIn(source.Found): source.Found.Path}
	return source.Placed(made.addReferring(wanted.KindIn(source.Found), wanted.Resource, source.Root, source.Definitions))
}

// converter builds the program that converts objects through the hub of the project. Nil: equal
// JSON is what converts them.
func (l *loader) converter(wanted *suitefile.GoType) (apiresource.Converter, error) {
	packages := wanted.Reference().Packages
	if wanted.Conversion == suitefile.ConversionNone || len(packages) == 1 {
		return nil, nil
	}
	project, err := hubconversion.Find(l.goDir(), packages, wanted.Type)
	if err != nil {
		return nil, err
	}
	if project == nil && wanted.Conversion == suitefile.ConversionHub {
		return nil, fmt.Errorf("conversion: hub: no version of %s has the methods of controller-runtime's conversion: "+
			"Hub on one version, ConvertTo and ConvertFrom on the others", wanted.Type)
	}
	if project == nil {
		return nil, nil
	}
	converter, err := project.Build(context.Background())
	if err != nil {
		return nil, fmt.Errorf("the program with the conversion methods of %s cannot be built; \"conversion: none\" does without: %w",
			wanted.Type, err)
	}
	l.suite.closers, l.suite.converters = append(l.suite.closers, converter), append(l.suite.converters, converter)
	return converter, nil
}

// goDir is where the go command runs.
func (l *loader) goDir() string { return filepath.FromSlash(path.Dir(l.Name)) }

// warnOfUnexpressed warns about markers that the schema cannot express.
func (l *loader) warnOfUnexpressed(all []idl.Unexpressed) {
	for _, each := range all {
		l.shared.warnings.Addf(each.Position, "the schema cannot express this: %s", each.Why)
	}
}

func (l *loader) readOverlays(wanted *suitefile.GoType, mistakes *strictyaml.Mistakes) []*idl.Overlay {
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

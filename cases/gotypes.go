package cases

import (
	"errors"
	"path"
	"path/filepath"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/declarative/idl"
	"github.com/diffrun/diffrun/internal/plaintext"
	"github.com/diffrun/diffrun/internal/strictyaml"
)

// goType names a Go type whose markers define the schema (KEP-4153, "IDL tags").
type goType struct {
	strictyaml.Position `yaml:"-"`

	// Package is an import path, or a path that begins with a dot and is relative to the suite's
	// directory. The go command finds it there.
	Package string `yaml:"package"`
	Type    string `yaml:"type"`
	// Kind is the kind of the objects. It is required if the package has no +groupName.
	Kind target `yaml:"kind"`
	// Resource is the plural of the kind, for webhooks. The default is a guess.
	Resource string `yaml:"resource"`
	// Overlays add markers to types that cannot be edited.
	Overlays []reference `yaml:"overlays"`
	// UnknownMarkers is "ignore" to ignore misspelled markers.
	UnknownMarkers string `yaml:"unknownMarkers"`
}

// loadGoType generates the schema of a Go type. The error is a userfile.Mistakes.
func (l *loader) loadGoType(wanted *goType) (*resources, error) {
	made := newResources()
	var mistakes strictyaml.Mistakes
	switch {
	case wanted.Package == "" || wanted.Type == "":
		mistakes.Addf(wanted.Position, "go must name a package and a type in it")
	case wanted.UnknownMarkers != "" && wanted.UnknownMarkers != "ignore":
		mistakes.Addf(wanted.Position, "unknownMarkers does not know %q; accepted: ignore", wanted.UnknownMarkers)
	case !l.Files.OnDisk:
		mistakes.Addf(wanted.Position, "only a suite on disk can name a Go package")
	}
	overlays := l.readOverlays(wanted, &mistakes)
	if len(mistakes) > 0 {
		return made, mistakes
	}
	dir := filepath.FromSlash(path.Dir(l.Name))
	found, err := idl.FindPackage(dir, wanted.Package)
	if err != nil {
		mistakes.Addf(wanted.Position, "go: %v", plaintext.Error(err))
		return made, mistakes
	}
	kind := wanted.kindIn(found)
	if kind.Empty() {
		mistakes.Addf(wanted.Position, "package %s has no marker +groupName; name the kind, for instance \"kind: example.com/v1 %s\"", found.Path, wanted.Type)
		return made, mistakes
	}
	root := idl.TypeName{Package: found.Path, Name: wanted.Type}
	reading := l.shared.options.Markers
	reading.IgnoreUnknown = reading.IgnoreUnknown || wanted.UnknownMarkers != ""
	generated, err := idl.Generate(idl.Config{Dir: dir, Roots: []idl.TypeName{root}, Overlays: overlays, Reading: reading})
	if err == nil {
		l.warnOfUnexpressed(generated)
		err = made.addReferring(kind, wanted.Resource, generated.Definitions[root.Definition()], generated.Definitions)
	}
	if read := (strictyaml.Mistakes)(nil); err != nil && !errors.As(err, &read) {
		mistakes.Addf(wanted.Position, "go: %v", plaintext.Error(err))
		return made, mistakes
	}
	return made, err
}

// warnOfUnexpressed warns about markers that the schema cannot express.
func (l *loader) warnOfUnexpressed(generated *idl.Result) {
	for _, each := range generated.Unexpressed {
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

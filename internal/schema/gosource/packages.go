package gosource

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/idl"
	"github.com/diffrun/diffrun/backends/declarative/kubernetes"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/internal/openapi"
)

// Packages are all API types of some packages.
type Packages struct {
	// Sources has the definitions of the kinds, and one Source for all types in packages with the
	// conventions of the KEP; its Roots are the kinds.
	Sources  []*Source
	Packages []idl.Package
	Marked   []idl.Marked
}

// Patterns reports whether an argument names packages and not a type: "./api/...", "go:./api/v1".
func Patterns(argument string) ([]string, bool) {
	text, is := strings.CutPrefix(argument, Prefix)
	if is {
		_, _, err := Parse(argument)
		is = err != nil && text != ""
	}
	if !is && !strings.HasSuffix(argument, "...") {
		return nil, false
	}
	return strings.Split(text, ","), true
}

// LoadPackages makes the schemas of all types in packages that are stored as objects. The error is
// a userfile.Mistakes with the mistakes of all packages.
func LoadPackages(patterns []string, config Config) (*Packages, error) {
	found, err := idl.FindPackages(config.Dir, patterns)
	all := &Packages{Packages: withRoots(found)}
	mistakes := asMistakes(err)
	if err != nil && mistakes == nil {
		return nil, err
	}
	if len(all.Packages) == 0 && err == nil {
		return nil, fmt.Errorf("no API type: %s matches no package with a type that embeds TypeMeta and ObjectMeta of "+
			"k8s.io/apimachinery/pkg/apis/meta/v1; a single type is named as go:PACKAGE.Type", strings.Join(patterns, " "))
	}
	mistakes.Merge(strings.Join(patterns, " "), all.load(config))
	return all, mistakes.Err()
}

func withRoots(all []idl.Package) []idl.Package {
	return slices.DeleteFunc(all, func(p idl.Package) bool { return len(p.Roots) == 0 })
}

func (p *Packages) load(config Config) error {
	var mistakes strictyaml.Mistakes
	kinds := map[schema.GroupKind][]string{}
	var every, roots []idl.TypeName
	for _, each := range p.Packages {
		for _, kind := range each.Roots {
			every = append(every, idl.TypeName{Package: each.Path, Name: kind})
			if of := each.GroupVersion.WithKind(kind).GroupKind(); isDefinition(each) {
				kinds[of] = append(kinds[of], each.Path)
			} else {
				roots = append(roots, idl.TypeName{Package: each.Path, Name: kind})
			}
		}
	}
	for _, kind := range slices.SortedFunc(maps.Keys(kinds), func(a, b schema.GroupKind) int {
		return strings.Compare(a.String(), b.String())
	}) {
		of := Reference{Packages: kinds[kind], Type: kind.Kind}
		source := &Source{Name: of.String()}
		mistakes.Merge(source.Name, source.define(of, config))
		p.Sources = append(p.Sources, source)
	}
	if len(roots) > 0 {
		overlays, err := withBundled(config)
		if err != nil {
			return err
		}
		source, err := generateAll(roots, config, overlays)
		mistakes.Merge(config.Dir, err)
		p.Sources = append(p.Sources, source)
	}
	if err := mistakes.Err(); err != nil {
		return err
	}
	var err error
	p.Marked, err = idl.MarkersOf(idl.Config{Dir: config.Dir, Roots: every, Overlays: config.Overlays, Reading: config.Reading})
	return err
}

// LoadBuiltin makes the schemas of the built-in kinds from their sources and the bundled overlays.
func LoadBuiltin(config Config) (*Packages, error) {
	overlays, err := kubernetes.Overlays()
	if err != nil {
		return nil, err
	}
	for _, each := range overlays {
		each.Bundled = false // their types are the roots here
	}
	config.Overlays = overlays
	config.Reading.IgnoreUnknown = true // k8s.io/api has markers above fields that are commented out
	all := &Packages{}
	var roots []idl.TypeName
	var paths []string
	for _, kind := range kubernetes.Kinds() {
		path := kubernetes.GoPackage(kind)
		roots = append(roots, idl.TypeName{Package: path, Name: kind.Kind})
		if !slices.Contains(paths, path) {
			paths = append(paths, path)
			all.Packages = append(all.Packages, idl.Package{Path: path})
		}
	}
	source, err := generateAll(roots, config, overlays)
	if err != nil {
		return nil, err
	}
	all.Sources = []*Source{source}
	all.Marked, err = idl.MarkersOf(idl.Config{Dir: config.Dir, Roots: roots, Overlays: overlays, Reading: config.Reading})
	return all, err
}

// withBundled returns the bundled overlays of Kubernetes types and those of the configuration.
func withBundled(config Config) ([]*idl.Overlay, error) {
	overlays, err := kubernetes.Overlays()
	return append(overlays, config.Overlays...), err
}

// generateAll makes one schema with the conventions of the KEP that refers to each of several
// types.
func generateAll(roots []idl.TypeName, config Config, overlays []*idl.Overlay) (*Source, error) {
	made, err := idl.Generate(idl.Config{Dir: config.Dir, Roots: roots, Overlays: overlays, Reading: config.Reading})
	if made == nil {
		return nil, err
	}
	mistakes := asMistakes(err)
	all := &spec.Schema{SchemaProps: spec.SchemaProps{Type: []string{"object"}, Properties: map[string]spec.Schema{}}}
	source := &Source{
		Name:        "Go types",
		Root:        all,
		Definitions: made.Definitions,
		Unexpressed: made.Unexpressed,
		Foreign:     made.Foreign,
		origins:     made.Origins,
	}
	for _, root := range roots {
		name := root.Definition()
		all.Properties[name] = openapi.RefTo(name)
		source.Roots = append(source.Roots, name)
	}
	mistakes.Merge(source.Name, source.check(false))
	return source, mistakes.Err()
}

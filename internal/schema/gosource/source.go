package gosource

import (
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/idl"
	"github.com/diffrun/diffrun/internal/files/definitions"
	"github.com/diffrun/diffrun/userfile"
)

// Conventions decide which fields are required and what zero values mean.
type Conventions string

// The conventions. By default, a package with markers of kubebuilder and a +groupName, or several
// packages, have those of a definition; all others have those of KEP-4153.
const (
	// OfKEP are those of KEP-4153, section "Zero-Valued Primitive Fields".
	OfKEP Conventions = "kep"
	// OfCRD are those of controller-gen.
	OfCRD Conventions = "crd"
)

// Config is how sources are read.
type Config struct {
	// Dir is where the go command looks packages up; empty for the working directory.
	Dir         string
	Conventions Conventions
	// Overlays add markers.
	Overlays []*idl.Overlay
	// BundledRules adds the validations of the built-in kinds to the Kubernetes types that a
	// definition has as fields. Schemas with the conventions of the KEP always have them.
	BundledRules bool
	// Root means that the schema is that of a resource even if its package does not declare a
	// group.
	Root bool
	// Check is called with the package of a schema with the conventions of the KEP before the
	// schema is made. It is optional.
	Check   func(idl.Package) error
	Reading idl.Reading
}

// Source has the schemas of a Go type.
type Source struct {
	Name  string
	Found idl.Package // the first package
	// Definition is the CustomResourceDefinition, and YAML is its text; nil with the conventions of
	// the KEP.
	Definition *definitions.Definition
	YAML       []byte
	// Root and Definitions are the schema with the conventions of the KEP.
	Root        *spec.Schema
	Definitions map[string]*spec.Schema
	Unexpressed []idl.Unexpressed
	// Roots are the definitions of kinds if Root only refers to them; nil for a single type.
	Roots []string

	// Foreign reports by file whether it belongs to another module.
	Foreign map[string]bool
	exact   func(version, place string) (userfile.Position, bool)

	root    string // the place of the root among the definitions
	origins idl.Origins
}

// GroupVersionKind returns the kind, or none if the package does not declare its group.
func (s *Source) GroupVersionKind(of Reference) schema.GroupVersionKind {
	if s.Found.GroupVersion.Empty() {
		return schema.GroupVersionKind{}
	}
	return s.Found.GroupVersion.WithKind(of.Type)
}

// Load makes the schemas of a type and compiles them. A rule that does not compile is a mistake
// like those of markers.
func Load(of Reference, config Config) (*Source, error) {
	found, err := idl.FindPackage(config.Dir, of.Packages[0])
	if err != nil {
		return nil, err
	}
	source := &Source{Name: of.withoutVersion(), Found: found}
	if config.Conventions == OfCRD || len(of.Packages) > 1 || config.Conventions == "" && isDefinition(found) {
		return source, source.define(of, config)
	}
	if of.Version != "" && of.Version != found.GroupVersion.Version {
		return nil, fmt.Errorf("%s: the package has the version %q", of, found.GroupVersion.Version)
	}
	if config.Check != nil {
		if err := config.Check(found); err != nil {
			return nil, err
		}
	}
	return source, source.generate(of, config)
}

// isDefinition reports whether a package has the conventions of a definition by default.
func isDefinition(p idl.Package) bool { return p.Kubebuilder && p.GroupVersion.Group != "" }

// define makes a CustomResourceDefinition. Types of other modules are as controller-gen makes them,
// unless the validations of the built-in kinds are requested.
func (s *Source) define(of Reference, config Config) error {
	if config.Conventions == OfKEP {
		return fmt.Errorf("%s: several versions of one API are served by a definition, which has the conventions of controller-gen", of)
	}
	wanted := idl.CRDConfig{Dir: config.Dir, Packages: of.Packages, Type: of.Type, Overlays: config.Overlays, Reading: config.Reading}
	if config.BundledRules {
		overlays, err := withBundled(config)
		if err != nil {
			return err
		}
		wanted.Overlays, wanted.Check = overlays, compileVersion
	}
	made, err := idl.CRD(wanted)
	if made == nil {
		return err
	}
	mistakes := asMistakes(err)
	s.YAML, s.Unexpressed, s.Foreign = made.YAML, made.Unexpressed, made.Foreign
	s.exact = func(version, place string) (userfile.Position, bool) {
		at, ok := made.Origins[version][place]
		return at, ok
	}
	if s.Definition, err = definitions.ReadOne(s.Name, made.YAML); err != nil {
		return err
	}
	s.Definition.Origin = originsOf(s.Definition, made.Origins)
	for _, version := range s.Definition.Versions {
		mistakes.Merge(s.Name, checkVersion(version))
	}
	return mistakes.Err()
}

// generate makes a schema with the conventions of the KEP. Kubernetes types in its fields have the
// validations of the built-in kinds.
func (s *Source) generate(of Reference, config Config) error {
	overlays, err := withBundled(config)
	if err != nil {
		return err
	}
	root := idl.TypeName{Package: s.Found.Path, Name: of.Type}
	made, err := idl.Generate(idl.Config{Dir: config.Dir, Roots: []idl.TypeName{root}, Overlays: overlays, Reading: config.Reading})
	if made == nil {
		return err
	}
	mistakes := asMistakes(err)
	s.Root, s.Definitions, s.Unexpressed, s.Foreign = made.Definitions[root.Definition()], made.Definitions, made.Unexpressed, made.Foreign
	s.root, s.origins = "definitions["+root.Definition()+"]", made.Origins
	mistakes.Merge(s.Name, s.check(config.Root || !s.GroupVersionKind(of).Empty()))
	return mistakes.Err()
}

package validate

import (
	"errors"
	"fmt"
	"slices"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/subresource"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/files/definitions"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/internal/schema/source"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// lineSchema finds the schema for lines without one.
type lineSchema interface {
	// find returns the backend of a line.
	find(lineRequest) (*compiled, error)
}

// newLineSchema reads and compiles the schema of the options for lines without one, or returns nil.
func newLineSchema(o *LinesOptions) (lineSchema, error) {
	switch {
	case o.Schema != "":
		return newSchemaFile(o)
	case len(o.Definitions) > 0:
		return newResourceFiles(o)
	}
	return nil, nil
}

// schemaFile is a schema in a file or of a Go type.
type schemaFile struct {
	compiled *byRole
	root     bool // it is that of a resource, unless a line says otherwise
}

func newSchemaFile(o *LinesOptions) (lineSchema, error) {
	if source.IsGoType(o.Schema) {
		return newGoSchema(o)
	}
	read, err := definitions.ReadSchemaFile(o.Schema)
	if err != nil {
		return nil, err
	}
	s := &schemaFile{compiled: newByRole(func(as role) (*compiled, error) {
		made, err := o.compiler().schema(read.Schema, as)
		return made, read.Placed(err)
	})}
	// Rules may use metadata.name, which only whole objects of a resource have. Lines must then
	// say that the schema is one of a resource.
	if _, err = s.compiled.in(innerRole); err != nil {
		if _, asRoot := s.compiled.in(rootRole); asRoot == nil {
			return s, nil
		}
	}
	return s, err
}

// newGoSchema compiles the schema of a Go type. With the conventions of the KEP it is the schema of a native
// type, so the extensions of KEP-4153 have an effect.
func newGoSchema(o *LinesOptions) (lineSchema, error) {
	read, err := o.Finder.One(o.Schema)
	if err != nil {
		return nil, err
	}
	c, schema := o.compiler(), *read.Schema
	if read.Version == nil {
		c.native = true
		schema.Definitions = spec.Definitions{}
		for name, definition := range read.Definitions {
			schema.Definitions[name] = *definition
		}
	}
	s := &schemaFile{root: read.Root, compiled: newByRole(func(as role) (*compiled, error) {
		made, err := c.schema(&schema, as)
		return made, read.Placed(err)
	})}
	as := innerRole
	if s.root {
		as = rootRole
	}
	_, err = s.compiled.in(as)
	return s, err
}

func (s *schemaFile) find(r lineRequest) (*compiled, error) {
	if r.Root == nil && s.root {
		r.Root = &s.root
	}
	as, err := r.role()
	if err != nil {
		return nil, err
	}
	made, err := s.compiled.in(as)
	if err != nil {
		return nil, onOneLine(err)
	}
	return made, nil
}

// resourceFiles are the CustomResourceDefinitions of --crd.
type resourceFiles struct {
	// versions are the versions to choose from, of one or several definitions.
	versions []*definitions.Version
	compiled map[*definitions.Version]*byRole
}

// newResourceFiles reads and compiles definitions: the given version of those that have it, or all served
// versions.
func newResourceFiles(o *LinesOptions) (lineSchema, error) {
	files, err := o.findDefinitions()
	if err != nil {
		return nil, err
	}
	r := &resourceFiles{compiled: map[*definitions.Version]*byRole{}}
	var mistakes, unpicked strictyaml.Mistakes
	for _, file := range files {
		all, err := o.Finder.ReadFile(file)
		mistakes.Merge(file, err)
		for _, definition := range all {
			picked, err := definition.Pick(o.Version)
			unpicked.Merge(file, err)
			for _, v := range picked {
				mistakes.Merge(file, r.add(v, o.compiler()))
			}
		}
	}
	if o.Version == "" || len(r.versions) == 0 {
		mistakes = append(mistakes, unpicked...) // or else others have the version
	}
	return r, mistakes.Err()
}

func (r *resourceFiles) add(v *definitions.Version, c compiler) error {
	for _, first := range r.versions {
		if first.GroupVersionKind == v.GroupVersionKind {
			return secondSchema(v, first)
		}
	}
	r.versions = append(r.versions, v)
	r.compiled[v] = newByRole(func(as role) (*compiled, error) { return c.version(v, as) })
	_, err := r.compiled[v].in(rootRole)
	return err
}

// secondSchema returns the mistake about a version whose kind has a schema already.
func secondSchema(v, first *definitions.Version) error {
	return v.Of.Mistake(v.Path, "a second schema of %s; the first is in %s", apiname.Target(v.GroupVersionKind), first.Of.At(first.Path))
}

func (r *resourceFiles) find(line lineRequest) (*compiled, error) {
	of := line.Object
	if line.Subresource == subresource.ScaleName && line.OldObject != nil {
		of = line.OldObject // the object may be a Scale
	}
	version, err := r.version(of)
	if err != nil {
		return nil, err
	}
	as := rootRole
	if line.Root != nil && !*line.Root {
		if line.Subresource != "" {
			return nil, errors.New("a schema that is not of a resource's root has no subresources")
		}
		as = innerRole
	}
	made, err := r.compiled[version].in(as)
	if err != nil {
		return nil, onOneLine(err)
	}
	return made, nil
}

// version returns the version to use: the only one, or that of the object. If there is one definition, the
// kind need not match, because it is validated later.
func (r *resourceFiles) version(object any) (*definitions.Version, error) {
	if len(r.versions) == 1 {
		return r.versions[0], nil
	}
	wanted := versionOf(object)
	several := slices.ContainsFunc(r.versions, func(v *definitions.Version) bool { return v.Of != r.versions[0].Of })
	i := slices.IndexFunc(r.versions, func(v *definitions.Version) bool {
		return v.GroupVersion() == wanted.GroupVersion() && (!several || v.Kind == wanted.Kind)
	})
	switch {
	case i >= 0:
		return r.versions[i], nil
	case several:
		return nil, fmt.Errorf("the object is of apiVersion %q and kind %q, and --crd has the schemas of %s",
			wanted.GroupVersion(), wanted.Kind, targetNames(r.versions))
	}
	return nil, fmt.Errorf("the object is of %q, and %s has the versions %s; say with --version which one validates",
		wanted.GroupVersion(), r.versions[0].Of.CRD.Name, versionNames(r.versions))
}

// targetNames joins versions of several kinds for messages.
func targetNames(versions []*definitions.Version) string {
	var names []string
	for _, version := range versions {
		names = append(names, apiname.Target(version.GroupVersionKind))
	}
	return plaintext.List(names)
}

// versionNames joins versions for messages.
func versionNames(versions []*definitions.Version) string {
	var names []string
	for _, version := range versions {
		names = append(names, version.Version)
	}
	return plaintext.List(names)
}

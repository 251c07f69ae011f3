package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/backends/declarative/subresource"
	"github.com/diffrun/diffrun/internal/definitions"
	"github.com/diffrun/diffrun/internal/strictyaml"
)

// lineSchema reads and compiles what the flags give as the schema of lines; nil
// where they give none.
func (f *validateFlags) lineSchema() (lineSchema, error) {
	switch {
	case f.schema != "":
		return newSchemaFile(f.schema, f.compiler())
	case len(f.crds) > 0:
		return newResourceFile(f.crds[0], f.version, f.compiler())
	}
	return nil, nil
}

// schemaFile is the schema of --schema.
type schemaFile struct{ compiled *byRole }

func newSchemaFile(file string, c compiler) (lineSchema, error) {
	read, err := readSchema(file)
	if err != nil {
		return nil, err
	}
	s := &schemaFile{newByRole(func(as role) (*compiled, error) {
		made, err := c.schema(read.Schema, as)
		return made, read.Placed(err)
	})}
	// Rules may see metadata.name, which only a resource's root has: then lines must
	// say that the schema is of one.
	if _, err = s.compiled.in(innerRole); err != nil {
		if _, asRoot := s.compiled.in(rootRole); asRoot == nil {
			return s, nil
		}
	}
	return s, err
}

func (s *schemaFile) find(r lineRequest) (*compiled, error) {
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

// resourceFile is the CustomResourceDefinition of --crd.
type resourceFile struct {
	of       *definitions.Definition
	versions []*definitions.Version // those that may be meant
	compiled map[*definitions.Version]*byRole
}

func newResourceFile(file, version string, c compiler) (lineSchema, error) {
	only, err := readDefinition(file)
	if err != nil {
		return nil, err
	}
	r := &resourceFile{of: only, compiled: map[*definitions.Version]*byRole{}}
	if r.versions, err = only.Pick(version); err != nil {
		return nil, err
	}
	var mistakes strictyaml.Mistakes
	for _, v := range r.versions {
		r.compiled[v] = newByRole(func(as role) (*compiled, error) { return c.version(v, as) })
		_, err := r.compiled[v].in(rootRole)
		mistakes.Merge(file, err)
	}
	return r, mistakes.Err()
}

func (r *resourceFile) find(line lineRequest) (*compiled, error) {
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

// version gives the version that is meant: the only one, or that of the object.
func (r *resourceFile) version(object any) (*definitions.Version, error) {
	if len(r.versions) == 1 {
		return r.versions[0], nil
	}
	wanted := versionOf(object)
	i := slices.IndexFunc(r.versions, func(v *definitions.Version) bool { return v.GroupVersion() == wanted.GroupVersion() })
	if i < 0 {
		return nil, fmt.Errorf("the object is of %q, and %s has the versions %s; say with --version which one validates",
			wanted.GroupVersion(), r.of.CRD.Name, versionNames(r.versions))
	}
	return r.versions[i], nil
}

// versionNames lists versions for messages.
func versionNames(versions []*definitions.Version) string {
	var names []string
	for _, version := range versions {
		names = append(names, version.Version)
	}
	return strings.Join(names, ", ")
}

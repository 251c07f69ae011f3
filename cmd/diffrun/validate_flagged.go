package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/definitions"
	"github.com/diffrun/diffrun/internal/strictyaml"
)

// lineSchema reads and compiles what the flags give as the schema of lines; nil
// where they give none.
func (f *validateFlags) lineSchema() (lineSchema, error) {
	switch {
	case f.schema != "":
		return newSchemaFile(f.schema, engine(f.backend))
	case len(f.crds) > 0:
		return newResourceFile(f.crds[0], f.version, engine(f.backend))
	}
	return nil, nil
}

// schemaFile is the schema of --schema.
type schemaFile struct{ compiled *byRoot }

func newSchemaFile(file string, e engine) (lineSchema, error) {
	read, err := readSchema(file)
	if err != nil {
		return nil, err
	}
	s := &schemaFile{newByRoot(func(root bool) (harness.Backend, error) {
		backend, err := e.compile(read.Schema, root)
		return backend, read.Placed(err)
	})}
	_, err = s.compiled.backend(nil, false)
	return s, err
}

func (s *schemaFile) backend(_ any, root *bool) (harness.Backend, error) {
	backend, err := s.compiled.backend(root, false)
	if err != nil {
		return nil, onOneLine(err)
	}
	return backend, nil
}

// resourceFile is the CustomResourceDefinition of --crd.
type resourceFile struct {
	of       *definitions.Definition
	versions []*definitions.Version // those that may be meant
	compiled map[*definitions.Version]*byRoot
}

func newResourceFile(file, version string, e engine) (lineSchema, error) {
	only, err := readDefinition(file)
	if err != nil {
		return nil, err
	}
	r := &resourceFile{of: only, compiled: map[*definitions.Version]*byRoot{}}
	if r.versions, err = only.Pick(version); err != nil {
		return nil, err
	}
	var mistakes strictyaml.Mistakes
	for _, v := range r.versions {
		r.compiled[v] = newByRoot(func(root bool) (harness.Backend, error) { return e.compileVersion(v, root) })
		_, err := r.compiled[v].root()
		mistakes.Merge(file, err)
	}
	return r, mistakes.Err()
}

func (r *resourceFile) backend(object any, root *bool) (harness.Backend, error) {
	version, err := r.version(object)
	if err != nil {
		return nil, err
	}
	backend, err := r.compiled[version].backend(root, true)
	if err != nil {
		return nil, onOneLine(err)
	}
	return backend, nil
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

package main

import (
	"fmt"
	"slices"

	"github.com/diffrun/diffrun/harness"
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
	document, read, err := readSchema(file)
	if err != nil {
		return nil, err
	}
	s := &schemaFile{newByRoot(func(root bool) (harness.Backend, error) {
		backend, err := e.compile(read, root)
		return backend, placed(file, document, "", err)
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
	versions []*definedVersion // those that may be meant
	compiled map[*definedVersion]*byRoot
}

func newResourceFile(file, version string, e engine) (lineSchema, error) {
	definitions, err := readDefinitions(file)
	if err != nil {
		return nil, err
	}
	var mistakes strictyaml.Mistakes
	if len(definitions) > 1 {
		second := definitions[1]
		mistakes.Addf(at(file, second.document, ""), "a second CustomResourceDefinition begins here; --jsonl takes one")
		return nil, mistakes
	}
	only := definitions[0]
	r := &resourceFile{compiled: map[*definedVersion]*byRoot{}}
	for _, v := range only.versions {
		if v.Version == version || version == "" && v.served {
			r.versions = append(r.versions, v)
		}
	}
	if len(r.versions) == 0 && version != "" {
		mistakes.Addf(at(file, only.document, "spec.versions"), "there is no version %q with a schema; there are %s", version, versionNames(only.versions))
		return nil, mistakes
	}
	if len(r.versions) == 0 {
		mistakes.Addf(at(file, only.document, "spec.versions"), "no version is served; name one with --version: %s", versionNames(only.versions))
		return nil, mistakes
	}
	for _, v := range r.versions {
		r.compiled[v] = newByRoot(func(root bool) (harness.Backend, error) { return v.compile(e, root) })
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
func (r *resourceFile) version(object any) (*definedVersion, error) {
	if len(r.versions) == 1 {
		return r.versions[0], nil
	}
	wanted := versionOf(object)
	i := slices.IndexFunc(r.versions, func(v *definedVersion) bool { return v.GroupVersion() == wanted.GroupVersion() })
	if i < 0 {
		return nil, fmt.Errorf("the object is of %q, and %s has the versions %s; say with --version which one validates",
			wanted.GroupVersion(), r.versions[0].of.crd.Name, versionNames(r.versions))
	}
	return r.versions[i], nil
}

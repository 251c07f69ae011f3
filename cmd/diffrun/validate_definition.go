package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/validation/spec"
	kjson "sigs.k8s.io/json"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/documents"
	"github.com/diffrun/diffrun/internal/strictyaml"
)

// definition is a CustomResourceDefinition of a file.
type definition struct {
	file     string
	document documents.Document
	crd      *apiextensionsv1.CustomResourceDefinition
	versions []*definedVersion
}

// definedVersion is a version that has a schema, as it is written.
type definedVersion struct {
	schema.GroupVersionKind
	of     *definition
	served bool
	schema *spec.Schema
	path   string // of the schema in the document
}

// readDefinitions reads the CustomResourceDefinitions of a file. The error is a
// strictyaml.Mistakes with all that is wrong.
func readDefinitions(file string) ([]*definition, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, unreadable(file, err)
	}
	var all []*definition
	var mistakes strictyaml.Mistakes
	for document := range documents.Manifest(filepath.ToSlash(file), data) {
		read, err := newDefinition(file, document)
		if err != nil {
			mistakes.Merge(file, err)
			continue
		}
		all = append(all, read)
	}
	if len(all) == 0 && len(mistakes) == 0 {
		mistakes.Addf(strictyaml.Position{File: file}, "there is no CustomResourceDefinition in this file")
	}
	return all, mistakes.Err()
}

// unreadable is the mistake of naming a file that cannot be read.
func unreadable(file string, err error) strictyaml.Mistakes {
	if inner := (*os.PathError)(nil); errors.As(err, &inner) {
		err = inner.Err
	}
	return strictyaml.Mistakes{{Position: strictyaml.Position{File: file}, Message: fmt.Sprintf("cannot be read: %v", err)}}
}

// at is where a field of a document stands.
func at(file string, document documents.Document, path string) strictyaml.Position {
	return strictyaml.Position{File: file, Line: document.LineOf(path)}
}

func newDefinition(file string, document documents.Document) (*definition, error) {
	d := &definition{file: file, document: document, crd: &apiextensionsv1.CustomResourceDefinition{}}
	wrong := func(path, format string, args ...any) error {
		var mistakes strictyaml.Mistakes
		mistakes.Addf(at(file, document, path), format, args...)
		return mistakes
	}
	if mistakes := (strictyaml.Mistakes)(nil); errors.As(document.Err, &mistakes) {
		return nil, mistakes
	}
	if document.Err != nil {
		return nil, wrong("", "%v", document.Err)
	}
	apiVersion, _ := document.Object["apiVersion"].(string)
	kind, _ := document.Object["kind"].(string)
	switch {
	case kind != "CustomResourceDefinition":
		return nil, wrong("kind", "a CustomResourceDefinition is wanted here, not a %q of %q; objects are named with -f", kind, apiVersion)
	case apiVersion != apiextensionsv1.SchemeGroupVersion.String():
		return nil, wrong("apiVersion", "a CustomResourceDefinition of %s cannot be read; write it as %s", apiVersion, apiextensionsv1.SchemeGroupVersion)
	}
	data, err := json.Marshal(document.Object)
	if err == nil {
		err = kjson.UnmarshalCaseSensitivePreserveInts(data, d.crd)
	}
	if err != nil {
		return nil, wrong("", "no CustomResourceDefinition: %v", err)
	}
	for i := range d.crd.Spec.Versions {
		if err := d.addVersion(i); err != nil {
			return nil, placed(file, document, schemaPath(i), err)
		}
	}
	if len(d.versions) == 0 {
		return nil, wrong("spec.versions", "no version of this CustomResourceDefinition has a schema; it is wanted under spec.versions[*].schema.openAPIV3Schema")
	}
	return d, nil
}

// addVersion adds a version of the definition, if it has a schema.
func (d *definition) addVersion(i int) error {
	version := &d.crd.Spec.Versions[i]
	if version.Schema == nil || version.Schema.OpenAPIV3Schema == nil {
		return nil
	}
	// The Go type drops what it does not know, and the engine is to see that. It
	// could be decoded, so the document has the shape that it has.
	written, _, err := unstructured.NestedFieldNoCopy(d.document.Object, "spec", "versions")
	if err == nil {
		written, _, err = unstructured.NestedFieldNoCopy(written.([]any)[i].(map[string]any), "schema", "openAPIV3Schema")
	}
	if err != nil {
		return err
	}
	read, err := toSchema(written)
	if err != nil {
		return err
	}
	d.versions = append(d.versions, &definedVersion{
		GroupVersionKind: schema.GroupVersionKind{Group: d.crd.Spec.Group, Version: version.Name, Kind: d.crd.Spec.Names.Kind},
		of:               d,
		served:           version.Served,
		schema:           read,
		path:             schemaPath(i),
	})
	return nil
}

// schemaPath is where a version has its schema.
func schemaPath(version int) string {
	return fmt.Sprintf("spec.versions[%d].schema.openAPIV3Schema", version)
}

// toSchema reads a value of JSON as a schema.
func toSchema(value any) (*spec.Schema, error) {
	written, isObject := value.(map[string]any)
	if !isObject {
		return nil, errors.New("a schema must be an object")
	}
	if err := checkKeywords(written); err != nil {
		return nil, err
	}
	data, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	read := &spec.Schema{}
	return read, json.Unmarshal(data, read)
}

// compile compiles the schema; root false: as one that is not a resource's. The
// error is a strictyaml.Mistakes.
func (v *definedVersion) compile(e engine, root bool) (harness.Backend, error) {
	var backend harness.Backend
	var err error
	if root {
		backend, err = e.compileResource(v.of.crd, v.Version, v.schema)
	} else {
		backend, err = e.compile(v.schema, root)
	}
	return backend, placed(v.of.file, v.of.document, v.path, err)
}

// placed gives the mistakes of a schema, which stands at a path of a document,
// their lines.
func placed(file string, document documents.Document, path string, err error) error {
	if err == nil {
		return nil
	}
	var mistakes strictyaml.Mistakes
	wrong := (*declarative.SchemaError)(nil)
	if !errors.As(err, &wrong) {
		mistakes.Addf(at(file, document, path), "the schema does not compile: %v", onOneLine(err))
		return mistakes
	}
	for _, one := range wrong.Errors {
		mistakes.Addf(at(file, document, path+"."+one.Field), "the schema does not compile: %v", onOneLine(one))
	}
	return mistakes.Err()
}

// readSchema reads the schema of a file. The error is a strictyaml.Mistakes.
func readSchema(file string) (documents.Document, *spec.Schema, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return documents.Document{}, nil, unreadable(file, err)
	}
	all := slices.Collect(documents.Manifest(filepath.ToSlash(file), data))
	var mistakes strictyaml.Mistakes
	position := strictyaml.Position{File: file}
	switch {
	case len(all) != 1:
		mistakes.Addf(position, "one schema is wanted in this file, not %d", len(all))
		return documents.Document{}, nil, mistakes
	case all[0].Err != nil:
		mistakes.Merge(file, all[0].Err)
		return documents.Document{}, nil, mistakes
	case all[0].Object["kind"] == "CustomResourceDefinition":
		mistakes.Addf(position, "this is a CustomResourceDefinition; give it with --crd")
		return documents.Document{}, nil, mistakes
	}
	read, err := toSchema(all[0].Object)
	return all[0], read, placed(file, all[0], "", err)
}

// versionNames lists versions for messages.
func versionNames(versions []*definedVersion) string {
	var names []string
	for _, version := range versions {
		names = append(names, version.Version)
	}
	return strings.Join(names, ", ")
}

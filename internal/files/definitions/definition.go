package definitions

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/validation/spec"
	kjson "sigs.k8s.io/json"

	"github.com/diffrun/diffrun/internal/fieldpath"
	"github.com/diffrun/diffrun/internal/files/documents"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/internal/text/jsonerrors"
)

// Definition is a CustomResourceDefinition in a file.
type Definition struct {
	File     string
	Document documents.Document
	CRD      *apiextensionsv1.CustomResourceDefinition
	// Versions are the versions with a schema, in the order of the file.
	Versions []*Version
	// Origin returns the position in the source that a place was generated from. It is nil if
	// the file was written by hand.
	Origin func(path string) strictyaml.Position
}

// Version is a version with a schema.
type Version struct {
	schema.GroupVersionKind
	Of     *Definition
	Served bool
	// Schema is the schema as written.
	Schema *spec.Schema
	// Path is the path of the schema in the document.
	Path string
}

// StatusSubresource reports whether the status is written through a subresource of its own.
func (v *Version) StatusSubresource() bool {
	for _, of := range v.Of.CRD.Spec.Versions {
		if of.Name == v.Version {
			return of.Subresources != nil && of.Subresources.Status != nil
		}
	}
	return false
}

// schemaPlace is the path of a schema in its version.
const schemaPlace = "spec.versions[*].schema.openAPIV3Schema"

// Read reads the CustomResourceDefinitions of a file, which must have schemas. It skips objects of
// other kinds, as in the manifest of an operator. The error is a userfile.Mistakes with all mistakes;
// definitions without mistakes are returned with it.
func Read(file string, data []byte) ([]*Definition, error) {
	all, err := ReadAll(file, data)
	var mistakes strictyaml.Mistakes
	mistakes.Merge(file, err)
	all = slices.DeleteFunc(all, func(d *Definition) bool {
		if len(d.Versions) > 0 {
			return false
		}
		mistakes.Merge(file, d.Mistake("spec.versions", "no version of this CustomResourceDefinition has a schema; it belongs under %s",
			schemaPlace))
		return true
	})
	return all, mistakes.Err()
}

// Rendered is Read for what a tool made of the files of a folder. Its lines are those of no file, so the position of each
// place is the folder.
func Rendered(folder string, data []byte) ([]*Definition, error) {
	all, err := Read(folder, data)
	at := strictyaml.Position{File: folder}
	for _, d := range all {
		d.Origin = func(string) strictyaml.Position { return at }
	}
	if wrong := (strictyaml.Mistakes)(nil); errors.As(err, &wrong) {
		for i := range wrong {
			wrong[i].Position = at
		}
		return all, wrong.Err()
	}
	return all, err
}

// ReadAll is like Read, but the definitions need not have schemas.
func ReadAll(file string, data []byte) ([]*Definition, error) {
	var all []*Definition
	var mistakes strictyaml.Mistakes
	documents := slices.Collect(documents.Manifest(filepath.ToSlash(file), data))
	if slices.ContainsFunc(documents, isDefinition) {
		documents = slices.DeleteFunc(documents, isOfOtherKind)
	}
	for _, document := range documents {
		read, err := ReadDocument(file, document)
		if err != nil {
			mistakes.Merge(file, err)
			continue
		}
		all = append(all, read)
	}
	if len(all) == 0 && len(mistakes) == 0 {
		mistakes.Addf(strictyaml.Position{File: file}, "this file has no CustomResourceDefinition")
	}
	return all, mistakes.Err()
}

// ReadOne reads a file with exactly one CustomResourceDefinition.
func ReadOne(file string, data []byte) (*Definition, error) {
	all, err := Read(file, data)
	if err != nil {
		return nil, err
	}
	if len(all) > 1 {
		return nil, all[1].Second()
	}
	return all[0], nil
}

// OfKind returns the definition of a kind, or why there is none. An empty kind is that of the only definition.
func OfKind(all []*Definition, kind string) (found *Definition, why string) {
	var kinds []string
	for _, d := range all {
		if name := d.CRD.Spec.Names.Kind; name == kind || kind == "" && len(all) == 1 {
			return d, ""
		}
		kinds = append(kinds, d.CRD.Spec.Names.Kind)
	}
	if kind == "" {
		return nil, fmt.Sprintf("there are %d definitions; name one of their kinds beside crd, as in kind: %s; there are %s", len(all),
			kinds[0], strings.Join(kinds, ", "))
	}
	return nil, fmt.Sprintf("no definition is of the kind %s; there are %s", kind, strings.Join(kinds, ", "))
}

// Second returns the mistake about a second definition in a file.
func (d *Definition) Second() strictyaml.Mistakes {
	return d.Mistake("", "a second CustomResourceDefinition begins here; expected only one in the file")
}

// At returns the position of a field of the definition, or of the source that it was generated from.
func (d *Definition) At(path string) strictyaml.Position {
	if d.Origin != nil {
		return d.Origin(path)
	}
	return d.Document.At(d.File, path)
}

// Mistake returns a mistake in a field of the definition.
func (d *Definition) Mistake(path, format string, args ...any) strictyaml.Mistakes {
	var mistakes strictyaml.Mistakes
	mistakes.Addf(d.At(path), format, args...)
	return mistakes
}

// Storage returns the version that objects are stored in; nil: it has no schema.
func (d *Definition) Storage() *Version {
	for _, declared := range d.CRD.Spec.Versions {
		for _, version := range d.Versions {
			if declared.Storage && declared.Name == version.Version {
				return version
			}
		}
	}
	return nil
}

// ConvertedByWebhook reports whether a webhook converts objects between versions. Otherwise only apiVersion changes.
func (d *Definition) ConvertedByWebhook() bool {
	c := d.CRD.Spec.Conversion
	return c != nil && c.Strategy == apiextensionsv1.WebhookConverter
}

// Pick returns the named version, or all served versions if the name is empty. The error is a
// userfile.Mistakes that lists the existing versions, or the served versions without a schema.
func (d *Definition) Pick(name string) ([]*Version, error) {
	var picked []*Version
	for _, v := range d.Versions {
		if v.Version == name || name == "" && v.Served {
			picked = append(picked, v)
		}
	}
	if name != "" && len(picked) == 0 {
		return nil, d.Mistake("spec.versions", "there is no version %q with a schema; there are %s", name, d.versionNames())
	}
	if name != "" {
		return picked, nil
	}
	mistakes := d.servedWithoutSchema()
	if len(picked) == 0 && len(mistakes) == 0 {
		mistakes.Addf(d.At("spec.versions"), "no version is served; name one: %s", d.versionNames())
	}
	return picked, mistakes.Err()
}

// servedWithoutSchema returns the served versions without a schema.
func (d *Definition) servedWithoutSchema() strictyaml.Mistakes {
	var mistakes strictyaml.Mistakes
	for i, v := range d.CRD.Spec.Versions {
		if v.Served && (v.Schema == nil || v.Schema.OpenAPIV3Schema == nil) {
			at := fmt.Sprintf("spec.versions[%d]", i)
			mistakes.Addf(d.At(at), "version %s is served and has no schema; give it one under %s.schema.openAPIV3Schema, "+
				"or name a version that has one: %s", v.Name, at, d.versionNames())
		}
	}
	return mistakes
}

func (d *Definition) versionNames() string {
	var names []string
	for _, version := range d.Versions {
		names = append(names, version.Version)
	}
	return strings.Join(names, ", ")
}

// ReadDocument reads a document of a file as a CustomResourceDefinition, which need not have a schema.
// The error is a userfile.Mistakes. If the document can be decoded, the definition is returned with the
// error, with the versions whose schema can be read.
func ReadDocument(file string, document documents.Document) (*Definition, error) {
	d := &Definition{File: file, Document: document, CRD: &apiextensionsv1.CustomResourceDefinition{}}
	if mistakes := (strictyaml.Mistakes)(nil); errors.As(document.Err, &mistakes) {
		return nil, mistakes
	}
	if document.Err != nil {
		return nil, d.Mistake("", "%v", document.Err)
	}
	if err := d.isCurrent(); err != nil {
		return nil, err
	}
	data, err := json.Marshal(document.Object)
	var unknown []error
	if err == nil {
		unknown, err = kjson.UnmarshalStrict(data, d.CRD)
	}
	if err != nil {
		if kinds := d.wrongKinds(); kinds != nil {
			return nil, kinds
		}
		path := ""
		if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
			path = wrong.Field
		}
		return nil, d.Mistake(path, "no CustomResourceDefinition: %v", jsonerrors.Of(err, "the document"))
	}
	var mistakes strictyaml.Mistakes
	mistakes.Merge(file, d.unknownFields(unknown))
	for i := range d.CRD.Spec.Versions {
		mistakes.Merge(file, d.addVersion(i))
	}
	return d, mistakes.Err()
}

// isCurrent returns an error for a document that is not a CustomResourceDefinition of v1.
func (d *Definition) isCurrent() error {
	apiVersion, _ := d.Document.Object["apiVersion"].(string)
	kind, _ := d.Document.Object["kind"].(string)
	current := apiextensionsv1.SchemeGroupVersion.String()
	switch {
	case kind == "" && isSchema(d.Document.Object):
		return d.Mistake("", "expected a CustomResourceDefinition, got only a schema; write it under %s of one", schemaPlace)
	case kind == "":
		return d.Mistake("", "expected a CustomResourceDefinition, got an object without a kind")
	case kind != "CustomResourceDefinition":
		return d.Mistake("kind", "expected a CustomResourceDefinition, got kind %q of %q", kind, apiVersion)
	case apiVersion == current:
		return nil
	}
	_, oneForAll, err := unstructured.NestedFieldNoCopy(d.Document.Object, "spec", "validation")
	if err == nil && oneForAll {
		return d.Mistake("spec.validation", "this CustomResourceDefinition of %s has one schema for all versions, "+
			"under spec.validation; write it as %s, with the schema under %s", apiVersion, current, schemaPlace)
	}
	return d.Mistake("apiVersion", "a CustomResourceDefinition of %q cannot be read; write it as %s, with the schema under %s",
		apiVersion, current, schemaPlace)
}

// isOfOtherKind reports whether a document is another Kubernetes object.
func isOfOtherKind(document documents.Document) bool {
	apiVersion, _ := document.Object["apiVersion"].(string)
	kind, _ := document.Object["kind"].(string)
	return document.Err == nil && apiVersion != "" && kind != "" && !isDefinition(document)
}

// unknownFields returns the unknown fields outside schemas.
func (d *Definition) unknownFields(unknown []error) error {
	var mistakes strictyaml.Mistakes
	for _, err := range unknown {
		in, hasPath := err.(kjson.FieldError)
		switch {
		case !hasPath:
			mistakes.Addf(d.At(""), "%v", err)
		case in.FieldPath() == "spec.validation":
			mistakes.Addf(d.At(in.FieldPath()), "a CustomResourceDefinition of %s has no field spec.validation; the schema "+
				"belongs under %s",
				apiextensionsv1.SchemeGroupVersion, schemaPlace)
		case !strings.Contains(in.FieldPath(), "openAPIV3Schema."):
			mistakes.Addf(d.At(in.FieldPath()), "a CustomResourceDefinition of %s has no field %s", apiextensionsv1.SchemeGroupVersion,
				in.FieldPath())
		}
	}
	return mistakes.Err()
}

// wrongKinds returns the values of wrong types in the schemas, and the unknown keywords.
func (d *Definition) wrongKinds() error {
	spec, _ := d.Document.Object["spec"].(map[string]any)
	versions, _ := spec["versions"].([]any)
	var mistakes strictyaml.Mistakes
	for i := range versions {
		version, _ := versions[i].(map[string]any)
		schema, _ := version["schema"].(map[string]any)
		if written, found := schema["openAPIV3Schema"]; found && written != nil {
			at := fmt.Sprintf("spec.versions[%d].schema.openAPIV3Schema", i)
			if kinds := wrongKinds(written, ofDefinitions()); len(kinds) > 0 {
				wrong := append(unknownKeywords(written), kinds...)
				mistakes.Merge(d.File, Placed(d.File, d.Document, at, wrong.ToAggregate()))
			}
		}
	}
	return mistakes.Err()
}

// addVersion adds a version of the definition, if it has a schema.
func (d *Definition) addVersion(i int) error {
	version := &d.CRD.Spec.Versions[i]
	if version.Schema == nil || version.Schema.OpenAPIV3Schema == nil {
		return nil
	}
	v := &Version{
		GroupVersionKind: schema.GroupVersionKind{Group: d.CRD.Spec.Group, Version: version.Name, Kind: d.CRD.Spec.Names.Kind},
		Of:               d,
		Served:           version.Served,
		Path:             fmt.Sprintf("spec.versions[%d].schema.openAPIV3Schema", i),
	}
	// The definition could be decoded, so the document has the shape that it has.
	versions, _, err := unstructured.NestedFieldNoCopy(d.Document.Object, "spec", "versions")
	if err != nil {
		return v.Placed(err)
	}
	written, _, err := unstructured.NestedFieldNoCopy(versions.([]any)[i].(map[string]any), "schema", "openAPIV3Schema")
	if err != nil {
		return v.Placed(err)
	}
	if v.Schema, err = ToSchema(written); err != nil {
		return v.Placed(err)
	}
	d.Versions = append(d.Versions, v)
	return nil
}

// Placed adds lines to mistakes in the schema of the version. See the function Placed.
func (v *Version) Placed(err error) error {
	return PlacedAt(func(place string) strictyaml.Position { return v.Of.At(join(v.Path, place)) }, err)
}

// At returns the position of a place in the schema, such as "properties[spec].pattern".
func (v *Version) At(place string) strictyaml.Position { return v.Of.At(join(v.Path, place)) }

// Path returns the path in the document for a path in the internal version of the API server. In that
// version, fields that are equal in all versions are above the versions.
func (d *Definition) Path(of string) string {
	for _, part := range []struct{ of, in string }{
		{"spec.validation", "spec.versions[0].schema"},
		{"spec.subresources", "spec.versions[0].subresources"},
		{"spec.additionalPrinterColumns", "spec.versions[0].additionalPrinterColumns"},
		{"spec.selectableFields", "spec.versions[0].selectableFields"},
	} {
		if inside, found := fieldpath.CutPrefix(of, part.of); found {
			return part.in + inside
		}
	}
	return of
}

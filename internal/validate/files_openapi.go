package validate

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/validation/spec"
	kjson "sigs.k8s.io/json"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/files/definitions"
	"github.com/diffrun/diffrun/internal/files/documents"
	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/internal/text/jsonerrors"
)

// publishedKinds validates the kinds of OpenAPI documents, as an API server publishes them under /openapi/v3.
// It compiles each schema on first use. It is safe for concurrent use.
type publishedKinds map[schema.GroupVersionKind]func() (harness.Backend, error)

// openAPIDocument is the part of an OpenAPI v3 document that is read.
type openAPIDocument struct {
	OpenAPI    string         `json:"openapi"`
	Paths      map[string]any `json:"paths"`
	Components struct {
		Schemas map[string]any `json:"schemas"`
	} `json:"components"`
}

// newPublishedKinds reads the documents in files, and in directories at any depth. The error is a
// strictyaml.Mistakes.
func newPublishedKinds(o *FilesOptions) (publishedKinds, error) {
	kinds := publishedKinds{}
	var mistakes strictyaml.Mistakes
	for _, name := range o.OpenAPI {
		files, searched := []string{name}, false
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			found, skipped, err := documents.FindFiles(name)
			o.warnSkipped(skipped)
			mistakes.Merge(name, err)
			files, searched = found, true
		}
		before := len(kinds)
		for _, file := range files {
			err := kinds.read(file, compiler{engine: o.Engine, reference: o.Reference, reading: reading{prune: true, defaults: true}})
			if without := (*noKindsError)(nil); searched && errors.As(err, &without) {
				continue // as /version is, beside the documents of groups
			}
			mistakes.Merge(file, placedAt(file, err))
		}
		if searched && len(kinds) == before && len(mistakes) == 0 {
			mistakes.Addf(strictyaml.Position{File: name}, "no file in or below this directory has the schema of a kind; "+getOpenAPI)
		}
	}
	return kinds, mistakes.Err()
}

// noKindsError is the error for a document without kinds.
type noKindsError struct{ why string }

func (e *noKindsError) Error() string { return e.why + "; " + getOpenAPI }

const getOpenAPI = "get one with: kubectl get --raw /openapi/v3/apis/GROUP/VERSION"

// placedAt adds a file to an error without one.
func placedAt(file string, err error) error {
	var mistakes strictyaml.Mistakes
	if err == nil || errors.As(err, &mistakes) {
		return err
	}
	mistakes.Addf(strictyaml.Position{File: file}, "%v", err)
	return mistakes
}

// read adds the kinds of a document. If several documents have a kind, the first is used.
func (k publishedKinds) read(file string, c compiler) error {
	data, err := infile.ReadFile(file)
	if err != nil {
		return documents.Unreadable(file, err)
	}
	var read openAPIDocument
	if err := kjson.UnmarshalCaseSensitivePreserveInts(data, &read); err != nil {
		return fmt.Errorf("not an OpenAPI v3 document in JSON: %v", jsonerrors.In(data, err, "the file"))
	}
	switch {
	case len(read.Components.Schemas) == 0 && len(read.Paths) > 0:
		return &noKindsError{"this document lists paths and has no schemas under components"}
	case len(read.Components.Schemas) == 0:
		return &noKindsError{"this document has no schemas under components"}
	}
	definitionsOf := spec.Definitions{}
	names := slices.Sorted(maps.Keys(read.Components.Schemas))
	for _, name := range names {
		one, err := definitions.ToPublishedSchema(read.Components.Schemas[name])
		if err != nil {
			return fmt.Errorf("components.schemas.%s: %w", name, err)
		}
		definitionsOf[name] = *one
	}
	served := servedIn(read.Paths)
	found := false
	for _, name := range names {
		for _, version := range kindsOf(definitionsOf[name].Extensions[kindExtension]) {
			found = true
			if k[version] == nil {
				k[version] = sync.OnceValues(func() (harness.Backend, error) {
					return published(c, file, definitionsOf, name, served[version])
				})
			}
		}
	}
	if !found {
		return &noKindsError{"no schema of this document has x-kubernetes-group-version-kind"}
	}
	return nil
}

// kindExtension is the extension with the kinds of a schema or an operation.
const kindExtension = "x-kubernetes-group-version-kind"

// servedIn returns from the paths of a document whether the resources of kinds are in namespaces, and have a
// status. It has no entry for a kind without a path.
func servedIn(paths map[string]any) map[schema.GroupVersionKind]*resource {
	resources := map[schema.GroupVersionKind]*resource{}
	for path, operations := range paths {
		verbs, _ := operations.(map[string]any)
		for _, verb := range verbs {
			operation, _ := verb.(map[string]any)
			for _, version := range kindsOf(operation[kindExtension]) {
				of := resources[version]
				if of == nil {
					of = &resource{kind: version.GroupKind()}
					resources[version] = of
				}
				of.Namespaced = of.Namespaced || strings.Contains(path, "/namespaces/{namespace}/")
				of.Subresources.Status = of.Subresources.Status || strings.HasSuffix(path, "/{name}/status")
			}
		}
	}
	return resources
}

// kindsOf returns the kinds in an extension: a list for a schema, one kind for an operation.
func kindsOf(extension any) []schema.GroupVersionKind {
	listed, isList := extension.([]any)
	if !isList {
		listed = []any{extension}
	}
	var kinds []schema.GroupVersionKind
	for _, one := range listed {
		fields, isKind := one.(map[string]any)
		if !isKind {
			continue
		}
		group, _ := fields["group"].(string)
		version, _ := fields["version"].(string)
		kind, _ := fields["kind"].(string)
		kinds = append(kinds, schema.GroupVersionKind{Group: group, Version: version, Kind: kind})
	}
	return kinds
}

// published compiles a schema of a document. of is nil if the document does not say how the kind is
// served.
func published(c compiler, file string, definitions spec.Definitions, name string, of *resource) (harness.Backend, error) {
	root := definitions[name]
	root.Definitions = definitions
	made, err := c.schema(&root, rootRole)
	if err != nil {
		return nil, fmt.Errorf("%s: components.schemas.%s: %w", file, name, err)
	}
	made.resource = of
	return &resourceChecker{compiled: made, typed: strings.HasPrefix(name, "io.k8s.api.")}, nil
}

// names returns the names of the kinds that an object with a version may mean.
func (k publishedKinds) names(of schema.GroupVersionKind) []string { return similar(maps.Keys(k), of) }

package validate

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/declarative/kubernetes"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/files/documents"
)

// errNoSchema is the fault of an object whose kind has no schema.
var errNoSchema = errors.New("no schema")

// wrongType returns what is wrong with the apiVersion or kind of an object, or "".
func wrongType(object map[string]any) string {
	apiVersion, kind := object["apiVersion"], object["kind"]
	isNone := func(value any) bool { return value == nil || value == "" }
	text, isText := apiVersion.(string)
	_, kindIsText := kind.(string)
	_, err := schema.ParseGroupVersion(text)
	switch {
	case isNone(apiVersion) && isNone(kind):
		return "it has no apiVersion and kind"
	case isNone(apiVersion):
		return "it has no apiVersion"
	case isNone(kind):
		return "it has no kind"
	case !isText:
		return "its apiVersion is not a string"
	case !kindIsText:
		return "its kind is not a string"
	case err != nil:
		return fmt.Sprintf("its apiVersion is %q; write GROUP/VERSION, for instance apps/v1, or v1 for the core group", text)
	case kind == "List" && text == "v1":
		return "items must be a list, under \"items\""
	}
	return ""
}

// missing returns the error that a kind has no schema, with advice: for a kind of Kubernetes there is no
// CustomResourceDefinition, and a definition has its own command.
func (k *kinds) missing(version schema.GroupVersionKind) error {
	name := apiname.Target(version)
	switch {
	case len(k.similar(version)) > 0:
		return fmt.Errorf("there is %w of %s; --crd has %s", errNoSchema, name, strings.Join(k.similar(version), ", "))
	case len(k.applied.similar(version)) > 0:
		return fmt.Errorf("there is %w of %s; the manifests define %s", errNoSchema, name, strings.Join(k.applied.similar(version), ", "))
	case len(k.published.names(version)) > 0:
		return fmt.Errorf("there is %w of %s; --openapi has %s", errNoSchema, name, strings.Join(k.published.names(version), ", "))
	case !isKubernetes(version.Group):
		return fmt.Errorf("there is %w of %s; name its CustomResourceDefinition with --crd", errNoSchema, name)
	case k.leftOut != "":
		return fmt.Errorf("there is %w of %s: %s, or name the OpenAPI document of an API server with --openapi", errNoSchema, name,
			k.leftOut)
	case len(k.builtins) == 0:
		return fmt.Errorf("there is %w of %s: the %s backend only has those of --crd", errNoSchema, name, k.engine)
	}
	return fmt.Errorf("there is %w of %s: diffrun has no built-in schema for this Kubernetes kind; name the OpenAPI document "+
		"of an API server with --openapi", errNoSchema, name)
}

// reviews is the group of Kubernetes whose kinds are never stored, so that none has a schema here.
const reviews = "authentication.k8s.io"

// isKubernetes reports whether a group is one of Kubernetes' own. The group of a CustomResourceDefinition has
// a dot.
func isKubernetes(group string) bool {
	return !strings.Contains(group, ".") || group == reviews ||
		slices.ContainsFunc(kubernetes.Kinds(), func(kind schema.GroupVersionKind) bool { return kind.Group == group })
}

// similar returns the kinds of --crd that an object with this version may mean.
func (k *kinds) similar(version schema.GroupVersionKind) []string {
	return similar(maps.Keys(k.resources), version)
}

// similar returns the names of kinds that an object with a version may mean: other versions of the kind, and
// kinds that differ only in case.
func similar(kinds iter.Seq[schema.GroupVersionKind], version schema.GroupVersionKind) []string {
	var names []string
	for other := range kinds {
		if other.Group == version.Group && strings.EqualFold(other.Kind, version.Kind) {
			names = append(names, apiname.Target(other))
		}
	}
	slices.Sort(names)
	return names
}

// checkDocument returns why a document cannot be validated, or nil.
func checkDocument(document documents.Document) error {
	switch {
	case document.Err != nil:
		return document.Err
	case document.Object == nil:
		return errors.New("no object but null")
	}
	if wrong := wrongType(document.Object); wrong != "" {
		return errors.New("no object of Kubernetes: " + wrong)
	}
	if err := documents.CheckBounds(document.Object); err != nil {
		return fmt.Errorf("the object %w", err)
	}
	return nil
}

package customresource

import (
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/harness"
)

// Document turns a pointer to a Go struct into a document, so tests of an operator can
// use its Go types. If the struct has no apiVersion and kind, as most have not in Go,
// they are those of version, or of the only version of the resource.
func (s *Scheme) Document(object any, version schema.GroupVersionKind) (map[string]any, error) {
	if of := reflect.TypeOf(object); of == nil || of.Kind() != reflect.Pointer || of.Elem().Kind() != reflect.Struct || reflect.ValueOf(object).IsNil() {
		return nil, fmt.Errorf("a %T is not a custom resource; give a document (map[string]any) or a pointer to its Go struct", object)
	}
	document, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		return nil, fmt.Errorf("a %T cannot be written as JSON: %w", object, err)
	}
	written := writtenFor(document)
	if written.Version != "" && written.Kind != "" {
		return document, nil
	}
	if version.Empty() && len(s.versions) > 1 {
		return nil, fmt.Errorf("a %T does not say its version; set its apiVersion and kind, or the Version of the case, to one of %s", object, strings.Join(slices.Sorted(maps.Keys(s.versions)), ", "))
	}
	if version.Empty() {
		version = s.resource.Kind.WithVersion(s.resource.Versions[0].Name)
	}
	document["apiVersion"], document["kind"] = version.ToAPIVersionAndKind()
	return document, nil
}

var _ harness.Documenting = (*Scheme)(nil)

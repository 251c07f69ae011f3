package apiresource

import (
	"fmt"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/internal/apiname"
)

// Document turns a pointer to a Go struct into a document, so that tests of an operator can use its
// Go types. If the struct has no apiVersion and kind, which is usual in Go, they are those of
// version, or of the only version of the resource. Set harness.Target.TypedVersion if there are
// several.
func (d *Definition) Document(object any, version schema.GroupVersionKind) (map[string]any, error) {
	if of := reflect.TypeOf(object); of == nil || of.Kind() != reflect.Pointer || of.Elem().Kind() != reflect.Struct ||
		reflect.ValueOf(object).IsNil() {
		return nil, fmt.Errorf("a %T is not a custom resource; use a document (map[string]any) or a pointer to its Go struct", object)
	}
	document, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		return nil, fmt.Errorf("a %T cannot be written as JSON: %w", object, err)
	}
	written := apiname.Written(document)
	if written.Version != "" && written.Kind != "" {
		return document, nil
	}
	if version.Empty() && len(d.versions) > 1 {
		return nil, d.unsaid(object)
	}
	if version.Empty() {
		version = d.resource.Kind.WithVersion(d.resource.Versions[0].Name)
	}
	document["apiVersion"], document["kind"] = version.ToAPIVersionAndKind()
	return document, nil
}

// unsaid returns an error that explains how to state the version of a Go struct.
func (d *Definition) unsaid(object any) error {
	versions := slices.Sorted(maps.Keys(d.versions))
	likely := versions[0]
	if in := path.Base(reflect.TypeOf(object).Elem().PkgPath()); slices.Contains(versions, in) {
		likely = in // packages of Go types are named for their version
	}
	return fmt.Errorf("a %T does not declare its version; set it once for all cases, as target.TypedVersion = %q, or for one, as "+
		"harness.Case{Version: schema.GroupVersionKind{Group: %q, Version: %q, Kind: %q}}; the versions are %s",
		object, likely, d.resource.Kind.Group, likely, d.resource.Kind.Kind, strings.Join(versions, ", "))
}

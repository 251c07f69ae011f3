package validate

import (
	apischema "k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/apiresource"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/files/definitions"
)

// reading has the options for decoding objects.
type reading struct {
	prune, defaults bool
	// keepUnknown is spec.preserveUnknownFields: only metadata is pruned.
	keepUnknown bool
	// keps are the behaviours to implement as the KEPs propose them.
	keps apiresource.KEPs
}

// stages compiles a schema with the packages of this project: for validation, and for reading.
func (r reading) stages(compile func(*spec.Schema) (harness.Backend, error), schema *spec.Schema, as role) (Stages, error) {
	backend, err := compile(schema)
	if err != nil || !r.prune && !r.defaults {
		return Stages{Backend: backend}, err
	}
	reader, err := apiresource.CompileReader(schema, apiresource.ReaderOptions{
		Prune: r.prune, Default: r.defaults, Root: as != innerRole, Definitions: definitions.DefinitionsOf(schema),
		PreservesUnknownFields: r.keepUnknown, KEPs: r.keps,
	})
	return Stages{
		Backend: backend,
		Receive: func(value any) (apiresource.Read, error) { return reader.Receive(value), nil },
		Load:    func(value any) (apiresource.Read, error) { return reader.Load(value), nil },
	}, err
}

// isOther reports whether a value is an object of another kind than the resource. The API server neither
// prunes nor defaults it (unstructuredSchemaCoercer and unstructuredDefaulter of
// k8s.io/apiextensions-apiserver/pkg/apiserver).
func isOther(value any, of apischema.GroupKind) bool {
	object, isObject := value.(map[string]any)
	if !isObject || of.Empty() {
		return false
	}
	apiVersion, hasVersion := object["apiVersion"].(string)
	kind, hasKind := object["kind"].(string)
	return hasVersion && hasKind && apischema.FromAPIVersionAndKind(apiVersion, kind).GroupKind() != of
}

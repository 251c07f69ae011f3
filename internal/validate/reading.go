package validate

import (
	"errors"

	apischema "k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
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

func (r reading) any() bool { return r.prune || r.defaults }

// reader prunes and defaults values as an engine does. It does not change them, and is safe for concurrent
// use.
type reader interface {
	// receive reads a value that a client sent.
	receive(value any) (apiresource.Read, error)
	// load reads the old object of an update.
	load(value any) (apiresource.Read, error)
}

// ownReader prunes and defaults with the packages of this project.
type ownReader struct{ *apiresource.Reader }

// compiled compiles a schema with the packages of this project: for validation, and for reading.
func (r reading) compiled(compile func(*spec.Schema) (harness.Backend, error), schema *spec.Schema, as role) (*compiled, error) {
	backend, err := compile(schema)
	if err != nil || !r.any() {
		return &compiled{Backend: backend}, err
	}
	made, err := apiresource.CompileReader(schema, apiresource.ReaderOptions{
		Prune: r.prune, Default: r.defaults, Root: as != innerRole, Definitions: definitions.DefinitionsOf(schema),
		PreservesUnknownFields: r.keepUnknown, KEPs: r.keps,
	})
	return &compiled{Backend: backend, reader: ownReader{made}}, err
}

func (r ownReader) receive(value any) (apiresource.Read, error) { return r.Receive(value), nil }

func (r ownReader) load(value any) (apiresource.Read, error) { return r.Load(value), nil }

// upstreamReader prunes and defaults with apiextensions-apiserver.
type upstreamReader struct {
	validator ReferenceValidator
	prunes    bool
}

func (r upstreamReader) receive(value any) (apiresource.Read, error) {
	made, err := r.with(r.validator.Prepare, value)
	if object, isObject := value.(map[string]any); isObject && r.prunes {
		made.Dropped = r.validator.Unknown(object)
	}
	return made, err
}

func (r upstreamReader) load(value any) (apiresource.Read, error) {
	return r.with(r.validator.PrepareStored, value)
}

func (r upstreamReader) with(prepare func(map[string]any) (map[string]any, field.ErrorList), value any) (apiresource.Read, error) {
	object, isObject := value.(map[string]any)
	if !isObject {
		return apiresource.Read{}, errors.New("the reference prunes and defaults objects only")
	}
	ready, errs := prepare(object)
	return apiresource.Read{Value: ready, Errors: errs}, nil
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

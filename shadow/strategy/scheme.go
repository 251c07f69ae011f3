package strategy

import (
	"context"
	"encoding/json"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	jsonserializer "k8s.io/apimachinery/pkg/runtime/serializer/json"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/apiname"
)

// NewScheme returns the harness.Scheme of the kinds of an API server: its runtime.Scheme decodes, defaults
// and converts. It also decodes documents, so that tests can use the same target.
func NewScheme(scheme *runtime.Scheme) harness.Scheme {
	strict := jsonserializer.SerializerOptions{Strict: true}
	return served{scheme, jsonserializer.NewSerializerWithOptions(jsonserializer.DefaultMetaFactory, scheme, scheme, strict)}
}

type served struct {
	scheme *runtime.Scheme
	json   runtime.Decoder
}

// Decode reads a document into the Go type of its version. Unknown fields are errors.
func (s served) Decode(document map[string]any, version schema.GroupVersionKind) (any, error) {
	if err := apiname.CheckVersion(document, version); err != nil {
		return nil, err
	}
	text, err := json.Marshal(document)
	if err != nil {
		return nil, err
	}
	object, _, err := s.json.Decode(text, &version, nil)
	return object, err
}

// Default returns the defaulted objects in the internal version.
func (s served) Default(_ context.Context, _ harness.Request, object, old any) (any, any, error) {
	internal, err := s.internal(object)
	if err != nil || old == nil {
		return internal, nil, err
	}
	internalOld, err := s.internal(old)
	if err != nil {
		return nil, nil, fmt.Errorf("old object: %w", err)
	}
	return internal, internalOld, nil
}

func (s served) internal(object any) (runtime.Object, error) {
	versioned := object.(runtime.Object)
	s.scheme.Default(versioned)
	return s.scheme.ConvertToVersion(versioned, runtime.InternalGroupVersioner)
}

// Convert returns an object in a version. It does not change the object.
func (s served) Convert(object any, version schema.GroupVersionKind) (any, error) {
	typed, isObject := object.(runtime.Object)
	if !isObject {
		return nil, fmt.Errorf("a %T is not a runtime.Object", object)
	}
	return s.scheme.ConvertToVersion(typed, version.GroupVersion())
}

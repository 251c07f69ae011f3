package registry

import (
	"encoding/json"
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	jsonserializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	kjson "sigs.k8s.io/json"

	"github.com/diffrun/diffrun/internal/apiname"
)

// decoder decodes strictly: the error of an unknown field comes with the object.
var decoder = jsonserializer.NewSerializerWithOptions(jsonserializer.DefaultMetaFactory, legacyscheme.Scheme, legacyscheme.Scheme,
	jsonserializer.SerializerOptions{Strict: true})

func decode(document map[string]any, version schema.GroupVersionKind) (runtime.Object, *schema.GroupVersionKind, error) {
	data, err := json.Marshal(document)
	if err != nil {
		return nil, nil, err
	}
	return decoder.Decode(data, &version, nil)
}

// Decode reads a document into the Go type of a version. Unknown and duplicate fields are errors,
// as with fieldValidation=Strict.
func (s *served) Decode(document map[string]any, version schema.GroupVersionKind) (any, error) {
	object, actual, err := decode(document, version)
	if err != nil {
		return nil, err
	}
	if *actual != version {
		return nil, fmt.Errorf("the case is written for %s, but its object is a %s", apiname.Target(version), apiname.Target(*actual))
	}
	return object, nil
}

// read decodes a document, fills in the defaults of its version and converts it to the hub type. It
// returns the fields that the version does not have.
func (s *served) read(document map[string]any, version schema.GroupVersionKind) (hub runtime.Object, unknown []string, err error) {
	object, actual, err := decode(document, version)
	if runtime.IsStrictDecodingError(err) {
		unknown, err = unknownFields(err), nil
	}
	if err != nil {
		return nil, nil, err
	}
	if *actual != version {
		return nil, nil, fmt.Errorf("it is a %s, not a %s", apiname.Target(*actual), apiname.Target(version))
	}
	hub, err = s.defaulted(object)
	return hub, unknown, err
}

// defaulted defaults an object in its version and converts it to the hub type.
func (k kind) defaulted(object runtime.Object) (runtime.Object, error) {
	legacyscheme.Scheme.Default(object)
	return k.hub(object)
}

// unknownFields returns the fields that a strict decoder complains about.
func unknownFields(err error) []string {
	var strict interface{ Errors() []error }
	if !errors.As(err, &strict) {
		return nil
	}
	var fields []string
	for _, one := range strict.Errors() {
		at := kjson.FieldError(nil)
		if errors.As(one, &at) {
			fields = append(fields, at.FieldPath())
		}
	}
	return fields
}

// Package upstream makes the API server's own code (package reference) an engine of package validate.
package upstream

import (
	"errors"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/apiresource"
	"github.com/diffrun/diffrun/backends/reference"
	"github.com/diffrun/diffrun/internal/validate"
)

// Compiler implements validate.ReferenceCompiler.
type Compiler struct{}

// Schema compiles a schema without a resource.
func (Compiler) Schema(schema *spec.Schema, options validate.ReferenceOptions) (validate.Stages, error) {
	return stages(options, func(o reference.Options) (*reference.Validator, error) { return reference.Compile(schema, o) })
}

// Resource compiles a version of a resource.
func (Compiler) Resource(crd *apiextensionsv1.CustomResourceDefinition, version string,
	options validate.ReferenceOptions) (validate.Stages, error) {
	return stages(options, func(o reference.Options) (*reference.Validator, error) {
		return reference.CompileResource(crd, version, o)
	})
}

func stages(o validate.ReferenceOptions, compile func(reference.Options) (*reference.Validator, error)) (validate.Stages, error) {
	validator, err := compile(reference.Options{Root: o.Root})
	if err != nil {
		return validate.Stages{}, err
	}
	made := validate.Stages{Backend: reference.NewBackend(validator)}
	if !o.Prune && !o.Default {
		return made, nil
	}
	reader, err := compile(reference.Options{Root: o.Root, Prune: o.Prune, Default: o.Default})
	made.Load = func(value any) (apiresource.Read, error) { return read(reader.PrepareStored, value) }
	made.Receive = func(value any) (apiresource.Read, error) {
		received, err := read(reader.Prepare, value)
		if object, isObject := value.(map[string]any); isObject && o.Prune {
			received.Dropped = reader.Unknown(object)
		}
		return received, err
	}
	return made, err
}

func read(prepare func(map[string]any) (map[string]any, field.ErrorList), value any) (apiresource.Read, error) {
	object, isObject := value.(map[string]any)
	if !isObject {
		return apiresource.Read{}, errors.New("the reference prunes and defaults objects only")
	}
	ready, errs := prepare(object)
	return apiresource.Read{Value: ready, Errors: errs}, nil
}

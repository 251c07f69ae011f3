// Package upstream makes the API server's own code (package reference) an engine of package validate.
package upstream

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/reference"
	"github.com/diffrun/diffrun/internal/validate"
)

// Compiler implements validate.ReferenceCompiler.
type Compiler struct{}

// Schema compiles a schema without a resource.
func (Compiler) Schema(schema *spec.Schema, options validate.ReferenceOptions) (validate.ReferenceValidator, error) {
	return made(reference.Compile(schema, optionsOf(options)))
}

// Resource compiles a version of a resource.
func (Compiler) Resource(crd *apiextensionsv1.CustomResourceDefinition, version string,
	options validate.ReferenceOptions) (validate.ReferenceValidator, error) {
	return made(reference.CompileResource(crd, version, optionsOf(options)))
}

func optionsOf(o validate.ReferenceOptions) reference.Options {
	return reference.Options{Root: o.Root, Prune: o.Prune, Default: o.Default}
}

func made(v *reference.Validator, err error) (validate.ReferenceValidator, error) {
	if err != nil {
		return nil, err
	}
	return validator{reference.NewBackend(v), v}, nil
}

// validator joins the methods of a backend with those that prepare objects. Both types have a method Validate, so
// neither can be embedded beside the other.
type validator struct {
	*reference.Backend
	of *reference.Validator
}

func (v validator) Prepare(object map[string]any) (map[string]any, field.ErrorList) {
	return v.of.Prepare(object)
}

func (v validator) PrepareStored(old map[string]any) (map[string]any, field.ErrorList) {
	return v.of.PrepareStored(old)
}

func (v validator) Unknown(object map[string]any) []string { return v.of.Unknown(object) }

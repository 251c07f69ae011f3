package validate

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/harness"
)

// ReferenceCompiler compiles schemas for the engine Reference. Package upstream implements it with the API server's
// code, which this package does not import.
type ReferenceCompiler interface {
	// Schema compiles a schema without a resource.
	Schema(schema *spec.Schema, options ReferenceOptions) (ReferenceValidator, error)
	// Resource compiles a version of a resource.
	Resource(crd *apiextensionsv1.CustomResourceDefinition, version string, options ReferenceOptions) (ReferenceValidator, error)
}

// ReferenceOptions are those of package reference.
type ReferenceOptions struct{ Root, Prune, Default bool }

// ReferenceValidator validates, prunes and defaults; its methods are those of reference.Validator.
type ReferenceValidator interface {
	harness.Backend
	Prepare(object map[string]any) (map[string]any, field.ErrorList)
	PrepareStored(old map[string]any) (map[string]any, field.ErrorList)
	Unknown(object map[string]any) []string
}

package validate

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/apiresource"
	"github.com/diffrun/diffrun/harness"
)

// Stages read and validate values of a schema.
type Stages struct {
	harness.Backend
	// Receive reads a value that a client sent, and Load the old object of an update. They do not change it, and are
	// safe for concurrent use. Nil: values are validated as they were written.
	Receive, Load func(value any) (apiresource.Read, error)
}

// ReferenceCompiler compiles schemas for the engine Reference. Package upstream implements it with the API server's
// code, which this package does not import.
type ReferenceCompiler interface {
	// Schema compiles a schema without a resource.
	Schema(schema *spec.Schema, options ReferenceOptions) (Stages, error)
	// Resource compiles a version of a resource.
	Resource(crd *apiextensionsv1.CustomResourceDefinition, version string, options ReferenceOptions) (Stages, error)
}

// ReferenceOptions are those of package reference.
type ReferenceOptions struct{ Root, Prune, Default bool }

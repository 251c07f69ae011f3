package subresource

import (
	"cmp"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/openapi"
)

// Project returns the schema of the value at a path of fields. If the schema does not declare the
// path, the result allows everything.
//
// The function ProjectJSONSchema of the proposal ("Validation Behavior", "Status") refuses junctors
// and references above the path, because they may restrict the value. Like the API server this
// function ignores them.
func Project(schema *spec.Schema, path ...string) *spec.Schema {
	for _, name := range path {
		schema = cmp.Or(openapi.Property(schema, name), &spec.Schema{})
	}
	return schema
}

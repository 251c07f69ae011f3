package declarative

import (
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/internal/keyword"
)

// EffectiveFormat returns the format of a schema if it refuses a value that the type of the schema
// accepts, or "". A format has no effect if its name is unknown or if it does not go with the type.
func (s Semantics) EffectiveFormat(schema *spec.Schema) string {
	return keyword.Dialect{CustomResource: s == CustomResources, Proposals: s == NativeTypes}.EffectiveFormat(schema)
}

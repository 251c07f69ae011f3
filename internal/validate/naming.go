package validate

import (
	"context"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/apiresource"
	"github.com/diffrun/diffrun/harness"
)

// naming is the backend of whole objects. Like the API server, it generates a name from generateName before
// it validates a new object. It implements harness.Backend.
type naming struct{ harness.Backend }

// Validate does not change the objects of an update.
func (n naming) Validate(ctx context.Context, in *harness.Input) (field.ErrorList, error) {
	object, isObject := in.Object.Value().Unstructured().(map[string]any)
	if in.Old != nil || !isObject {
		return n.Backend.Validate(ctx, in)
	}
	named := *in
	named.Object = harness.NewView(apiresource.Named(object))
	return n.Backend.Validate(ctx, &named)
}

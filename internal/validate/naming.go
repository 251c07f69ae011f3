package validate

import (
	"context"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/customresource"
	"github.com/diffrun/diffrun/harness"
)

// naming is the backend of whole objects. It generates the name that generateName of a new object
// asks for, as the API server does before it validates. It implements harness.Backend.
type naming struct{ harness.Backend }

// Validate leaves the objects of an update as they are.
func (n naming) Validate(ctx context.Context, in *harness.Input) (field.ErrorList, error) {
	object, isObject := in.Object.Value().Unstructured().(map[string]any)
	if in.Old != nil || !isObject {
		return n.Backend.Validate(ctx, in)
	}
	named := *in
	named.Object = harness.NewView(customresource.Named(object))
	return n.Backend.Validate(ctx, &named)
}

package validate

import (
	"context"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/customresource"
	"github.com/diffrun/diffrun/backends/declarative/subresource"
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

// updating is the backend of a resource. It fills in the metadata that the API server
// fills in before it validates an update, so that people need not make up a
// resourceVersion. It implements harness.Backend.
type updating struct{ harness.Backend }

// Validate leaves a Scale as it is: its metadata is that of the old object.
func (u updating) Validate(ctx context.Context, in *harness.Input) (field.ErrorList, error) {
	if in.Old == nil {
		return u.Backend.Validate(ctx, in)
	}
	object, isObject := in.Object.Value().Unstructured().(map[string]any)
	old, oldIsObject := in.Old.Value().Unstructured().(map[string]any)
	if !isObject || !oldIsObject {
		return u.Backend.Validate(ctx, in)
	}
	filled := *in
	newer, older := customresource.Carried(object, old)
	if in.Subresource == subresource.ScaleName {
		newer = object
	}
	filled.Object, filled.Old = harness.NewView(newer), harness.NewView(older)
	return u.Backend.Validate(ctx, &filled)
}

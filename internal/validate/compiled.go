package validate

import (
	"context"
	"fmt"
	"sync"

	apischema "k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/apiresource"
	"github.com/diffrun/diffrun/backends/declarative/subresource"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
)

// compiled is a compiled schema with the stages before validation, as far as the options have them: a value is
// read, prepared as that of a request to its resource, and validated by the Backend.
type compiled struct {
	Stages
	// resource is the resource of the schema. It is nil for a schema without a resource.
	resource *resource
	// names: like the API server, a whole object gets the name that its generateName asks for before it is
	// validated.
	names bool
}

// resource describes the resource of a schema.
type resource struct {
	kind apischema.GroupKind
	apiresource.Preparation
}

// read reads a value with Receive or Load.
func (c *compiled) read(with func(any) (apiresource.Read, error), value any) (apiresource.Read, error) {
	if with == nil || c.resource != nil && isOther(value, c.resource.kind) {
		return apiresource.Read{Value: value}, nil
	}
	return with(value)
}

// validate validates decoded values. old is nil for a create. Objects of a resource are prepared as the
// API server prepares those of a request, so that users need not invent a resourceVersion.
func (c *compiled) validate(ctx context.Context, request harness.Request, value, old any) (field.ErrorList, error) {
	object, isObject := value.(map[string]any)
	stored, wasObject := old.(map[string]any)
	if c.resource != nil && isObject && (old == nil || wasObject) {
		if old != nil {
			stored = c.resource.Stored(stored)
			old = stored
		}
		if request.Subresource == "" || request.Subresource == subresource.StatusName && old != nil {
			value = c.resource.Prepare(request, object, stored).Object
		}
	}
	if object, isObject = value.(map[string]any); c.names && isObject && old == nil {
		value = apiresource.Named(object)
	}
	in := &harness.Input{Request: request, Object: contract.NewView(value)}
	if old != nil {
		in.Old = contract.NewView(old)
	}
	return c.Backend.Validate(ctx, in)
}

// byRole is a schema that is compiled for each role on first use.
type byRole struct {
	roles [3]func() (*compiled, error)
}

func newByRole(compile func(as role) (*compiled, error)) *byRole {
	var b byRole
	for as := range b.roles {
		b.roles[as] = sync.OnceValues(func() (*compiled, error) { return compile(role(as)) })
	}
	return &b
}

// in returns the schema for a role.
func (b *byRole) in(as role) (*compiled, error) { return b.roles[as]() }

// lineChecker validates the objects of lines, as they are or as they are read. It implements harness.Backend.
type lineChecker struct {
	*compiled
	// received is the decoded object. Validate sets it if objects are pruned or defaulted.
	received *apiresource.Read
}

// Validate reads the objects as the options say.
func (b *lineChecker) Validate(ctx context.Context, in *harness.Input) (field.ErrorList, error) {
	object, err := b.read(b.Receive, in.Object.Value().Unstructured())
	if err != nil {
		return nil, err
	}
	if b.Receive != nil {
		b.received = &object
	}
	if len(object.Errors) > 0 {
		return object.Errors, nil
	}
	if in.Old == nil {
		return b.validate(ctx, in.Request, object.Value, nil)
	}
	old, err := b.read(b.Load, in.Old.Value().Unstructured())
	if err == nil {
		err = errorsPerField(old.Errors).ToAggregate()
	}
	if err != nil {
		return nil, fmt.Errorf("old object: %w", err)
	}
	return b.validate(ctx, in.Request, object.Value, old.Value)
}

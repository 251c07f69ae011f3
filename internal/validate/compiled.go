package validate

import (
	"context"
	"fmt"
	"sync"

	apischema "k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/customresource"
	"github.com/diffrun/diffrun/backends/declarative/subresource"
	"github.com/diffrun/diffrun/harness"
)

// compiled is a schema that validates.
type compiled struct {
	harness.Backend
	reader reader // nil: objects are validated as they were written
	// resource is what the schema is of; nil: it stands alone, and no request is made to it.
	resource *resource
}

// resource is what is known of the resource that a schema is of.
type resource struct {
	kind apischema.GroupKind
	customresource.Preparation
}

// receive reads a value that was sent, and load reads the old object of an update.
func (c *compiled) receive(value any) (customresource.Read, error) {
	if c.reader == nil || c.resource != nil && isOther(value, c.resource.kind) {
		return customresource.Read{Value: value}, nil
	}
	return c.reader.receive(value)
}

func (c *compiled) load(value any) (customresource.Read, error) {
	if c.reader == nil || c.resource != nil && isOther(value, c.resource.kind) {
		return customresource.Read{Value: value}, nil
	}
	return c.reader.load(value)
}

// validate validates values that were read; old is nil for a create. Those of a resource are
// prepared as the API server prepares the objects of a request, so that people need not make
// up a resourceVersion.
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
	in := &harness.Input{Request: request, Object: harness.NewView(value)}
	if old != nil {
		in.Old = harness.NewView(old)
	}
	return c.Backend.Validate(ctx, in)
}

// byRole is one schema compiled in each role, when it is first asked for.
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

// in gives the schema in a role.
func (b *byRole) in(as role) (*compiled, error) { return b.roles[as]() }

// foundSchema is a backend whose schema is found, and perhaps compiled, when it is asked:
// then the guard of whoever asks also holds for a compiler that panics or hangs.
type foundSchema struct {
	name string
	find func() (*compiled, error)
	// read is the object as it was read; it is set by Validate, where objects are pruned
	// or defaulted.
	read *customresource.Read
}

// Name is that of the engine that will be asked.
func (b *foundSchema) Name() string { return b.name }

// Validate gives the error of finding it as a fault.
func (b *foundSchema) Validate(ctx context.Context, in *harness.Input) (field.ErrorList, error) {
	found, err := b.find()
	if err != nil {
		return nil, err
	}
	object, err := found.receive(in.Object.Value().Unstructured())
	if err != nil {
		return nil, err
	}
	if found.reader != nil {
		b.read = &object
	}
	if len(object.Errors) > 0 {
		return object.Errors, nil
	}
	if in.Old == nil {
		return found.validate(ctx, in.Request, object.Value, nil)
	}
	old, err := found.load(in.Old.Value().Unstructured())
	if err == nil {
		err = errorsPerField(old.Errors).ToAggregate()
	}
	if err != nil {
		return nil, fmt.Errorf("old object: %w", err)
	}
	return found.validate(ctx, in.Request, object.Value, old.Value)
}

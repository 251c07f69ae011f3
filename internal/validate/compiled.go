package validate

import (
	"context"
	"fmt"
	"sync"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness"
)

// compiled is a schema that validates.
type compiled struct {
	harness.Backend
	preparer preparer // nil: objects are validated as they are
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

// foundBackend is a backend that is found, and perhaps compiled, when it is asked:
// then the guard of whoever asks also holds for a compiler that panics or hangs.
type foundBackend struct {
	name string
	find func() (*compiled, error)
	// prepared is the object as it was validated; it is set by Validate, where
	// objects are prepared.
	prepared *prepared
}

// Name is that of the backend that will be found.
func (b *foundBackend) Name() string { return b.name }

// Validate gives the error of finding it as a fault.
func (b *foundBackend) Validate(ctx context.Context, in *harness.Input) (field.ErrorList, error) {
	backend, err := b.find()
	if err != nil {
		return nil, err
	}
	if backend.preparer == nil {
		return backend.Validate(ctx, in)
	}
	object, err := backend.preparer.prepare(in.Object.Value().Unstructured())
	if err != nil {
		return nil, err
	}
	b.prepared = &object
	if len(object.errs) > 0 {
		return object.errs, nil
	}
	ready := &harness.Input{Request: in.Request, Object: harness.NewView(object.value)}
	if in.Old != nil {
		old, err := backend.preparer.prepareStored(in.Old.Value().Unstructured())
		if err == nil {
			err = errorsPerField(old.errs).ToAggregate()
		}
		if err != nil {
			return nil, fmt.Errorf("old object: %w", err)
		}
		ready.Old = harness.NewView(old.value)
	}
	return backend.Validate(ctx, ready)
}

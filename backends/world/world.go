package world

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	authenticationv1 "k8s.io/api/authentication/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/apiresource"
	"github.com/diffrun/diffrun/backends/declarative/subresource"
	"github.com/diffrun/diffrun/backends/serving"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/apiname"
)

// World is everything that guards the objects of a kind. It implements harness.Backend and
// contract.Capable; its inputs come from a target of [NewTarget].
// It may be used by several goroutines at once if its parts may.
type World struct {
	// Side is "native" or "declarative", for messages; empty: "world".
	Side string
	// Definition reads, defaults, prepares and validates: a *apiresource.Definition, or the
	// strategies of a built-in kind (package native/kubernetes/registry). Nil: Reads reads the objects, and
	// nothing but the guards validates them.
	Definition serving.Resource
	// Reads reads objects where there is no Definition. NewTarget sets it to the definition of the
	// other world.
	Reads serving.Resource
	// StoredBy is the definition through which old objects were stored. Nil: they are read as they
	// are. NewTarget sets it to the definition of today.
	StoredBy serving.Resource
	// Mutations are policies that change objects before they are validated. Nil: none.
	Mutations Mutations
	// Mutate changes objects after Mutations.
	Mutate Mutating
	// Policies are asked about objects that the definition accepts. Nil: none.
	Policies Policies
	// Then are asked, in their order, about objects that everything before them accepts.
	Then []Validating
}

// Policies decide about requests. *policies.Set implements it: this package does not import the API server's
// library that evaluates policies.
type Policies interface {
	// Guards lists the policies.
	Guards() []contract.Guard
	// Rules returns the matchConstraints rules of all bound policies.
	Rules() []admissionregistrationv1.RuleWithOperations
	// Review returns the errors of a request that a user sent. The input names its resource.
	Review(ctx context.Context, in *harness.Input, user authenticationv1.UserInfo) (field.ErrorList, error)
}

// Name returns Side, or "world".
func (w World) Name() string { return cmp.Or(w.Side, "world") }

// Guards lists the named webhooks and policies of the world in the order in which they are asked.
func (w World) Guards() []contract.Guard {
	var all []contract.Guard
	if w.Mutations != nil {
		all = append(all, w.Mutations.Guards()...)
	}
	if w.Mutate.Mutator != nil && w.Mutate.Guard.Name != "" {
		all = append(all, w.Mutate.Guard)
	}
	if w.Policies != nil {
		all = append(all, w.Policies.Guards()...)
	}
	for _, then := range w.Then {
		if then.Guard.Name != "" {
			all = append(all, then.Guard)
		}
	}
	return all
}

// Validate runs the stages of the world. The errors are those of the first stage that refuses the
// input. Warnings and fields that are not looked at are added to the answer. The error is a fault
// of a stage.
func (w World) Validate(ctx context.Context, in *harness.Input) (errs field.ErrorList, err error) {
	defer contract.Recover(&err)
	received, errs, err := w.receive(ctx, in)
	if err != nil || len(errs) > 0 {
		return errs, err
	}
	if w.Definition != nil {
		errs, err = received.Validate(ctx)
	}
	if err != nil || len(errs) > 0 {
		contract.AddNotes(ctx, contract.Notes{Omitted: received.Omitted()})
		return errs, err
	}
	request, err := w.admitted(received, in)
	if err != nil {
		return nil, err
	}
	contract.AddNotes(ctx, contract.Notes{Omitted: received.Omitted()})
	if errs, err = w.denied(ctx, request); err != nil || len(errs) > 0 {
		return errs, err
	}
	for _, then := range w.Then {
		if errs, err = then.validate(ctx, request); err != nil || len(errs) > 0 {
			return errs, err
		}
	}
	stored, err := received.Stored()
	if err != nil {
		return nil, err
	}
	contract.AddNotes(ctx, stored)
	return nil, nil
}

// receive runs the stages before validation: it reads the request and mutates its object.
func (w World) receive(ctx context.Context, in *harness.Input) (serving.Request, field.ErrorList, error) {
	object, old, err := contract.Read(in, (*contract.View).Unstructured)
	if err != nil {
		return nil, nil, err
	}
	if old, err = w.stored(old, in.Version); err != nil {
		return nil, nil, fmt.Errorf("old object: %w", err)
	}
	received, errs, err := w.reads().Receive(in.Request, object, old)
	if err != nil || len(errs) > 0 {
		return received, errs, err
	}
	errs, err = w.mutate(ctx, received, in)
	return received, errs, err
}

// stored returns an old object as it is in the storage. If the definition that reads it no longer has the
// version that it was stored in, it was migrated before: it is stored in the version of the request.
func (w World) stored(old map[string]any, requested schema.GroupVersionKind) (map[string]any, error) {
	if w.StoredBy == nil || old == nil {
		return old, nil
	}
	stored, err := w.StoredBy.Stored(old)
	if err != nil {
		return nil, err
	}
	if _, has := w.reads().Describe().Find(apiname.Written(stored)); has || apiname.Written(old) != requested {
		return stored, nil
	}
	return w.StoredBy.Convert(stored, requested)
}

// reads returns the definition that reads objects.
func (w World) reads() serving.Resource {
	switch {
	case w.Definition != nil:
		return w.Definition
	case w.Reads != nil:
		return w.Reads
	}
	panic("world: neither Definition nor Reads is set; world.NewTarget sets Reads")
}

// admitted returns the review for validating admission.
func (w World) admitted(received serving.Request, in *harness.Input) (*review, error) {
	asked := newReview(w.reads(), in)
	var err error
	asked.object, asked.old, err = received.Admitted()
	return asked, err
}

// Capabilities implements contract.Capable. Webhooks and policies look at deletions, which the
// definition does not. The other capabilities are those of a definition
// with schemas: webhooks and policies ratchet nothing.
func (w World) Capabilities() contract.Capabilities {
	can := contract.Capabilities{ValidatesDeletes: true, Guards: w.Guards()}
	if _, hasSchemas := w.Definition.(*apiresource.Definition); !hasSchemas {
		return can
	}
	can.Declarations = w.declarations
	can.UncheckedRules = askDefinition(w, func(of contract.Capabilities) question[field.ErrorList] { return of.UncheckedRules })
	can.WithoutRatcheting = askDefinition(w, func(of contract.Capabilities) question[field.ErrorList] { return of.WithoutRatcheting })
	can.Locate = askDefinition(w, func(of contract.Capabilities) question[[]contract.Located] { return of.Locate })
	return can
}

// declarations returns what the schema of the definition declares. It returns nil for a Scale,
// whose fields are not those of the resource.
func (w World) declarations(in *harness.Input) difference.Declarations {
	definition := w.Definition.(*apiresource.Definition)
	if in.Subresource == subresource.ScaleName || !slices.Contains(definition.Describe().Served(), in.Version) {
		return nil
	}
	backend, err := definition.Backend(in.Version.Version)
	if err != nil {
		return nil // Validate returns the error
	}
	return backend.Capabilities().Declarations(in)
}

// question is a function of contract.Capabilities.
type question[A any] func(ctx context.Context, in *harness.Input) (A, error)

// askDefinition asks the definition a question about the object that it validates; the answer is
// empty if the object is refused earlier.
func askDefinition[A any](w World, ask func(contract.Capabilities) question[A]) question[A] {
	return func(ctx context.Context, in *harness.Input) (none A, err error) {
		received, errs, err := w.receive(ctx, in)
		if err != nil || len(errs) > 0 {
			return none, err
		}
		backend, validated, errs, err := received.(*apiresource.Request).Validated()
		if err != nil || len(errs) > 0 {
			return none, err
		}
		return ask(backend.Capabilities())(ctx, validated)
	}
}

package registry

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/kubernetes/pkg/api/legacyscheme"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/apiname"
)

// GeneratedName is the name of the backends that Generated returns.
const GeneratedName = "generated"

// Generated returns upstream's generated validator of a version: the code that validation-gen makes
// from the tags "+k8s:…" (zz_generated.validations.go). It returns an error if the version has no
// such code, or none for a subresource of its kind.
//
// The API server runs this code after the hand-written code. It enforces the validations of stable tags and,
// by default, of +k8s:beta, and only logs the errors of +k8s:alpha. Here each error counts if counts returns true; nil
// counts all. IsAlpha and IsBeta of an error report its stage.
func Generated(version schema.GroupVersionKind, counts func(*field.Error) bool) (harness.Backend, error) {
	k, err := find(version.GroupKind())
	if err != nil {
		return nil, err
	}
	object, err := legacyscheme.Scheme.New(version)
	if err != nil {
		return nil, err
	}
	if !isGenerated(object) {
		return nil, fmt.Errorf("%s has no generated validator: validation-gen made none", apiname.Target(version))
	}
	made := &generated{k, version, object, counts}
	for subresource := range k.strategies {
		if made.Offers(subresource) == nil {
			return made, nil
		}
	}
	return nil, fmt.Errorf("%s has a generated validator only for other requests: its tag +k8s:isSubresource names a "+
		"subresource of other kinds", apiname.Target(version))
}

// isGenerated reports whether the scheme has a generated validator for a type. Such a validator
// refuses an unknown subresource; a type without one accepts everything.
func isGenerated(object runtime.Object) bool {
	return len(legacyscheme.Scheme.Validate(context.Background(), nil, object, "no such subresource")) > 0
}

// generated implements harness.Backend.
type generated struct {
	kind    kind
	version schema.GroupVersionKind
	empty   runtime.Object          // of the version
	counts  func(*field.Error) bool // nil: all count
}

// Name is "generated".
func (*generated) Name() string { return GeneratedName }

// Validate returns the errors of the generated code for an object in its version.
func (g *generated) Validate(ctx context.Context, in *harness.Input) (field.ErrorList, error) {
	object, old, err := g.typed(in)
	if err != nil {
		return nil, err
	}
	subresources := stepsOf(in.Subresource)
	ctx = requestContext(ctx, g.kind, in.Request)
	options, err := g.options(ctx, in.Subresource, object, old)
	if err != nil {
		return nil, err
	}
	var errs field.ErrorList
	if old == nil {
		errs = legacyscheme.Scheme.Validate(ctx, options, object, subresources...)
	} else {
		errs = legacyscheme.Scheme.ValidateUpdate(ctx, options, object, old, subresources...)
	}
	for _, err := range errs {
		if err.Type == field.ErrorTypeInternal {
			return nil, fmt.Errorf("the generated validator of %s: %s", apiname.Target(in.Version), err.Detail)
		}
	}
	return slices.DeleteFunc(errs, func(err *field.Error) bool { return g.counts != nil && !g.counts(err) }), nil
}

// stepsOf returns the path segments of a subresource.
func stepsOf(subresource string) []string {
	if subresource == "" {
		return nil
	}
	return strings.Split(subresource, "/")
}

// Offers returns an error if the generated code does not validate a subresource.
func (g *generated) Offers(subresource string) error {
	ctx := context.Background()
	options, err := g.options(ctx, subresource, g.empty, nil)
	if err != nil {
		return err
	}
	for _, err := range legacyscheme.Scheme.Validate(ctx, options, g.empty.DeepCopyObject(), stepsOf(subresource)...) {
		if err.Type == field.ErrorTypeInternal {
			return fmt.Errorf("the generated validator of %s has nothing for the subresource %q", apiname.Target(g.version), subresource)
		}
	}
	return nil
}

// options returns the options of the generated code for objects of the version.
func (g *generated) options(ctx context.Context, subresource string, object, old runtime.Object) (map[string]bool, error) {
	strategy, err := g.kind.strategyFor(subresource)
	if err != nil {
		return nil, err
	}
	hub, err := g.kind.hub(object.DeepCopyObject())
	if err != nil || old == nil {
		return optionsOf(ctx, strategy, hub, nil), err
	}
	oldHub, err := g.kind.hub(old.DeepCopyObject())
	return optionsOf(ctx, strategy, hub, oldHub), err
}

// typed returns copies of the objects: validation code may write to its arguments.
func (g *generated) typed(in *harness.Input) (object, old runtime.Object, err error) {
	if in.Part != "" {
		return nil, nil, fmt.Errorf("the generated validator of %s validates whole objects, but the case has only %s", g.kind.Kind, in.Part)
	}
	return contract.Read(in, func(view *contract.View) (runtime.Object, error) {
		typed, ok := view.Typed()
		if !ok {
			return nil, fmt.Errorf("the generated validator of %s needs a typed object; bind it with NewTarget", g.kind.GroupKind)
		}
		return typed.DeepCopyObject(), nil
	})
}

// optionsOf returns the feature gates that a kind's tags name, and whether they are enabled for a request, as
// the strategy of the kind passes them to the generated code.
func optionsOf(ctx context.Context, s strategy, object, old runtime.Object) map[string]bool {
	if declarative, ok := s.(rest.DeclarativeValidationStrategy); ok {
		return declarative.DeclarativeValidationConfig(ctx, object, old).Options
	}
	return nil
}

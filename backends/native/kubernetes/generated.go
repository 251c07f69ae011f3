package kubernetes

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/autoscaling"
	"k8s.io/kubernetes/pkg/features"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/apiname"
)

// GeneratedName is the name of the backends that Generated returns.
const GeneratedName = "generated"

// Generated returns upstream's generated validator of a version: the code that validation-gen makes
// from the tags "+k8s:…" (zz_generated.validations.go). It returns an error if the version has no
// such code, or none for a subresource of its kind.
//
// The API server runs this code after the hand-written code. It enforces the validations of stable
// tags, and only logs the errors of +k8s:alpha. Here each error counts if counts returns true; nil
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
	return nil, fmt.Errorf("%s has a generated validator only for other requests: its tag +k8s:isSubresource names a subresource of other kinds", apiname.Target(version))
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

// Validate returns the errors of the generated code for an object in its version. Its options are
// names of feature gates, as the registry strategies pass them.
func (g *generated) Validate(ctx context.Context, in *harness.Input) (field.ErrorList, error) {
	object, old, err := g.typed(in)
	if err != nil {
		return nil, err
	}
	subresources := stepsOf(in.Subresource)
	ctx = requestContext(ctx, g.kind, in.Request)
	options := enabledOptions(old)
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
	for _, err := range legacyscheme.Scheme.Validate(context.Background(), nil, g.empty.DeepCopyObject(), stepsOf(subresource)...) {
		if err.Type == field.ErrorTypeInternal {
			return fmt.Errorf("the generated validator of %s has nothing for the subresource %q", apiname.Target(g.version), subresource)
		}
	}
	return nil
}

// typed returns copies of the objects: validation code may write to its arguments.
func (g *generated) typed(in *harness.Input) (object, old runtime.Object, err error) {
	if in.Part != "" {
		return nil, nil, fmt.Errorf("the generated validator of %s validates whole objects, but the case has only %s", g.kind.Kind, in.Part)
	}
	for _, each := range []struct {
		view *harness.View
		into *runtime.Object
	}{{in.Object, &object}, {in.Old, &old}} {
		if each.view == nil {
			continue
		}
		typed, ok := each.view.Typed()
		if !ok {
			return nil, nil, fmt.Errorf("the generated validator of %s needs a typed object; bind it with NewTarget", g.kind.GroupKind)
		}
		*each.into = typed.DeepCopyObject()
	}
	return object, old, nil
}

// enabledOptions returns the names of the enabled feature gates. Strategies name only those that
// their tags use. One of them also counts a gate whose field is already in use.
func enabledOptions(old runtime.Object) []string {
	var enabled []string
	for gate := range utilfeature.DefaultMutableFeatureGate.GetAll() {
		if Enabled(string(gate)) {
			enabled = append(enabled, string(gate))
		}
	}
	if old != nil && scalesToZero(old) {
		enabled = append(enabled, string(features.HPAScaleToZero))
	}
	return enabled
}

func scalesToZero(versioned runtime.Object) bool {
	var autoscaler autoscaling.HorizontalPodAutoscaler
	kinds, _, err := legacyscheme.Scheme.ObjectKinds(versioned)
	if err != nil || kinds[0].GroupKind() != autoscaling.Kind("HorizontalPodAutoscaler") || legacyscheme.Scheme.Convert(versioned, &autoscaler, nil) != nil {
		return false
	}
	return autoscaler.Spec.MinReplicas != nil && *autoscaler.Spec.MinReplicas == 0
}

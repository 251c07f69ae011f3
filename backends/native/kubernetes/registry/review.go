package registry

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/api/operation"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/storage/names"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
	"k8s.io/kubernetes/pkg/apis/core"
	corevalidation "k8s.io/kubernetes/pkg/apis/core/validation"
	"k8s.io/kubernetes/pkg/features"
)

// review is the strategy of a kind whose objects the API server does not store: it answers them,
// writes their content into a different object (a Scale into a Deployment), or takes them as
// options (of the logs of a pod). The registry has no strategy for the kind; the request handler
// calls the validation itself. The API server does not treat these objects as stored ones: they get
// no uid, for instance.
type review struct {
	runtime.ObjectTyper
	names.NameGenerator
	namespaced bool
	validate   func(runtime.Object) field.ErrorList
	// generated: the handler also calls the code that is generated from tags.
	generated bool
	// subresource is the one in requests with the object; "" leaves that of the case.
	subresource string
}

// reviewOf returns a review for the function that the handler calls.
func reviewOf[T runtime.Object](namespaced bool, validate func(T) field.ErrorList) review {
	return review{ObjectTyper: legacyscheme.Scheme, NameGenerator: names.SimpleNameGenerator, namespaced: namespaced,
		validate: func(object runtime.Object) field.ErrorList {
			return validate(object.(T))
		}}
}

// withGenerated returns the review of a handler that also calls generated code, for a subresource or "".
func (r review) withGenerated(subresource string) review {
	r.generated, r.subresource = true, subresource
	return r
}

// handled returns the errors of the handler.
func (r review) handled(ctx context.Context, object runtime.Object) field.ErrorList {
	errs := r.validate(object)
	if !r.generated {
		return errs
	}
	if info, found := genericapirequest.RequestInfoFrom(ctx); found && r.subresource != "" {
		named := *info
		named.Subresource = r.subresource
		ctx = genericapirequest.WithRequestInfo(ctx, &named)
	}
	return rest.DeclarativeValidation{Scheme: legacyscheme.Scheme}.ValidateDeclaratively(ctx, object, nil, errs,
		operation.Create, rest.DeclarativeValidationConfig{})
}

// validateLogOptions is the validation of the pods/log handler (pkg/registry/core/pod/rest/log.go).
func validateLogOptions(options *core.PodLogOptions) field.ErrorList {
	return corevalidation.ValidatePodLogOptions(options, utilfeature.DefaultFeatureGate.Enabled(features.PodLogsQuerySplitStreams))
}

func (r review) NamespaceScoped() bool { return r.namespaced }

func (r review) Validate(_ context.Context, object runtime.Object) field.ErrorList {
	return r.validate(object)
}

func (review) PrepareForCreate(context.Context, runtime.Object)                          {}
func (review) PrepareForUpdate(context.Context, runtime.Object, runtime.Object)          {}
func (review) Canonicalize(runtime.Object)                                               {}
func (review) WarningsOnCreate(context.Context, runtime.Object) []string                 { return nil }
func (review) WarningsOnUpdate(context.Context, runtime.Object, runtime.Object) []string { return nil }
func (review) AllowCreateOnUpdate(context.Context) bool                                  { return false }
func (review) AllowUnconditionalUpdate(context.Context) bool                             { return false }

// ValidateUpdate is never called: updatable returns an error before.
func (review) ValidateUpdate(context.Context, runtime.Object, runtime.Object) field.ErrorList {
	return nil
}

// stored reports whether the API server keeps the objects of the kind.
func (k kind) stored() bool {
	_, answered := k.strategies[""].(review)
	return !answered
}

// updatable returns an error for a kind whose objects no request can update.
func (k kind) updatable() error {
	if k.stored() {
		return nil
	}
	return fmt.Errorf("the API server does not store a %s, so there is no update of one: leave out the old object", k.Kind)
}

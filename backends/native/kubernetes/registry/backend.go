package registry

import (
	"context"
	"errors"
	"fmt"

	"github.com/go-logr/logr"
	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	genericapirequest "k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/klog/v2"

	"github.com/diffrun/diffrun/backends/serving"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/apiname"
)

// HandwrittenName is the name of the backends that Handwritten returns.
const HandwrittenName = "handwritten"

// backend validates one kind by its registry strategy. It implements
// harness.Backend.
type backend struct {
	kind kind
	// handwritten leaves out the code that is generated from tags.
	handwritten bool
}

// Handwritten returns the hand-written validator of a version alone. The API server also calls the generated one,
// and returns its errors in the place of the hand-written ones that tags of the stage beta cover.
func Handwritten(version schema.GroupVersionKind) (harness.Backend, error) {
	of, err := newServed(version.GroupKind())
	if err != nil {
		return nil, err
	}
	return &backend{kind: of.kind, handwritten: true}, nil
}

// Name is "native", or "handwritten".
func (b *backend) Name() string {
	if b.handwritten {
		return HandwrittenName
	}
	return contract.NativeName
}

// Capabilities implements contract.Capable: the errors are those of the API server.
func (*backend) Capabilities() contract.Capabilities {
	return contract.Capabilities{ServesRequests: true}
}

// Validate returns the errors of the strategy's Validate or ValidateUpdate and, as the request path
// does, those of the metadata that all resources share and those of generated code. Validation code may write to its arguments,
// so it gets a copy. A panic of the strategy is a fault that names the function in Kubernetes.
func (b *backend) Validate(ctx context.Context, in *harness.Input) (errs field.ErrorList, err error) {
	defer func() { err = ownPanic(err) }()
	defer contract.Recover(&err)
	if in.Part != "" {
		return nil, fmt.Errorf("the strategy of %s validates whole objects, but the case has only %s; give the errors of your "+
			"own call to Compare, or your function to NewTarget (WithNative)", b.kind.Kind, in.Part)
	}
	strategy, err := b.kind.strategyFor(in.Subresource)
	if err != nil {
		return nil, err
	}
	if in.Old != nil {
		if err := b.kind.updatable(); err != nil {
			return nil, err
		}
	}
	object, old, err := contract.Read(in, b.hub)
	if err != nil {
		return nil, err
	}
	ctx = requestContext(ctx, b.kind, in.Request)
	if b.handwritten {
		return handwritten(ctx, strategy, object, old), nil
	}
	return validate(ctx, strategy, object, old), nil
}

func (b *backend) hub(view *contract.View) (runtime.Object, error) {
	typed, ok := view.Typed()
	if !ok {
		return nil, fmt.Errorf("the native validator of %s needs a typed object; bind it with NewTarget", b.kind.GroupKind)
	}
	return b.kind.hub(typed.DeepCopyObject())
}

// requestContext returns the context of a request, as far as strategies use it. Where generated code disagrees with
// the hand-written one, Kubernetes logs it; the log is dropped.
func requestContext(ctx context.Context, k kind, request harness.Request) context.Context {
	ctx = genericapirequest.WithUser(klog.NewContext(ctx, logr.Discard()), anybody())
	return genericapirequest.WithRequestInfo(ctx, &genericapirequest.RequestInfo{
		IsResourceRequest: true,
		Verb:              map[admissionv1.Operation]string{admissionv1.Create: "create", admissionv1.Update: "update"}[request.Operation],
		APIGroup:          request.Version.Group,
		APIVersion:        request.Version.Version,
		Resource:          k.resource,
		Subresource:       request.Subresource,
	})
}

// TargetOption changes the target that NewTarget makes.
type TargetOption func(kind, *harness.Target)

// NewTarget is kubernetes.NewTarget.
func NewTarget(
	of schema.GroupKind, declaratives func(schema.GroupVersionKind) (harness.Backend, error), options ...TargetOption,
) (*harness.Target, error) {
	if declaratives == nil {
		return nil, errors.New("there is no function that returns declarative backends; schemas.NewBackends().Backend is one")
	}
	resource, err := newServed(of)
	if err != nil {
		return nil, err
	}
	target, missing := serving.NewTarget(resource), []error(nil)
	all := target.Versions
	target.Versions = nil
	for _, version := range all {
		declarative, err := declaratives(version.GroupVersionKind)
		if errors.Is(err, contract.ErrNotOffered) {
			missing = append(missing, fmt.Errorf("%s: %w", apiname.Target(version.GroupVersionKind), err))
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", apiname.Target(version.GroupVersionKind), err)
		}
		version.Native, version.Declarative = &backend{kind: resource.kind}, declarative
		target.Versions = append(target.Versions, version)
	}
	if len(target.Versions) == 0 {
		return nil, errors.Join(missing...)
	}
	for _, option := range options {
		option(resource.kind, target)
	}
	return target, nil
}

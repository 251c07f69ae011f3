package strategy

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/shadow"
)

// Create puts a Shadow around a strategy for creates.
func Create(s *shadow.Shadow, strategy rest.RESTCreateStrategy) rest.RESTCreateStrategy {
	return create{strategy, s}
}

// Update puts a Shadow around a strategy for updates, of the resource or of a subresource.
func Update(s *shadow.Shadow, strategy rest.RESTUpdateStrategy) rest.RESTUpdateStrategy {
	return update{strategy, s}
}

type create struct {
	rest.RESTCreateStrategy
	shadow *shadow.Shadow
}

func (c create) Validate(ctx context.Context, object runtime.Object) field.ErrorList {
	return c.shadow.Validate(ctx, caseOf(ctx, c.shadow, object, nil), func(ctx context.Context) field.ErrorList {
		return c.RESTCreateStrategy.Validate(ctx, object)
	})
}

type update struct {
	rest.RESTUpdateStrategy
	shadow *shadow.Shadow
}

func (u update) ValidateUpdate(ctx context.Context, object, old runtime.Object) field.ErrorList {
	return u.shadow.Validate(ctx, caseOf(ctx, u.shadow, object, old), func(ctx context.Context) field.ErrorList {
		return u.RESTUpdateStrategy.ValidateUpdate(ctx, object, old)
	})
}

// caseOf returns the case of a request. Its context has the version and the subresource.
func caseOf(ctx context.Context, s *shadow.Shadow, object, old runtime.Object) harness.Case {
	c := harness.Case{Object: object}
	if old != nil {
		c.Old = old
	}
	if info, found := request.RequestInfoFrom(ctx); found {
		c.Version, c.Subresource = s.Target().Kind.WithVersion(info.APIVersion), info.Subresource
	}
	return c
}

package evaluation

import (
	"context"

	"k8s.io/apiserver/pkg/admission"
)

// Attributes returns those of a request, for upstream's plugin.
func Attributes(request Request) admission.Attributes { return request.attributes() }

// Annotations returns the audit annotations that were added to the attributes of a request.
func Annotations(of admission.Attributes) map[string]string { return of.(*attributes).annotations }

// ObjectInterfaces returns those for upstream's plugin.
func ObjectInterfaces(ctx context.Context, resources ...Resource) admission.ObjectInterfaces {
	return newVersions(resources).objects(ctx)
}

package keyword

import (
	"context"

	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// embeddedCheck is x-kubernetes-embedded-resource: apiVersion, kind and metadata of a value are
// validated like those of any object.
type embeddedCheck struct{ site Site }

const embeddedResource = "x-kubernetes-embedded-resource"

// CompileEmbedded compiles x-kubernetes-embedded-resource.
func CompileEmbedded(s Source) {
	if !s.Flag(embeddedResource) {
		return
	}
	check := &embeddedCheck{site: s.Site(embeddedResource)}
	check.site.Stage = Embedded
	s.On(check, view.Map)
}

func (c *embeddedCheck) Check(s Subject) {
	resource := &schema.Structural{Extensions: schema.Extensions{XEmbeddedResource: true}}
	s.ReportAs(&c.site, func(at *field.Path) field.ErrorList {
		// The context only carries a switch of Kubernetes' tests.
		return objectmeta.Validate(context.Background(), at, s.Value().JSON(), resource, false)
	})
}

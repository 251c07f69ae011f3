package defaulting_test

import (
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/diffrun/diffrun/backends/declarative/defaulting"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// BenchmarkDefault defaults objects that lack nothing. The goal is a quarter of a
// deep copy.
func BenchmarkDefault(b *testing.B) {
	served.Measure(b, func(b *testing.B, p *apiextensionsv1.JSONSchemaProps, obj map[string]any) (func(map[string]any), map[string]any) {
		d := compile(b, p, defaulting.Options{})
		return func(obj map[string]any) { d.Default(obj) }, d.Default(obj)
	})
}

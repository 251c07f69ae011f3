package infer

import (
	"testing"

	kubespec "k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/infer/rules"
	"github.com/diffrun/diffrun/internal/infer/search"
)

// TestForms: the forms of texts compile. One that does not is left out silently, because not every form fits every schema.
func TestForms(t *testing.T) {
	root := &kubespec.Schema{
		SchemaProps: kubespec.SchemaProps{Type: []string{"object"},
			Properties: map[string]kubespec.Schema{"value": *kubespec.StringProperty()}},
	}
	for _, form := range rules.TextFormats() {
		text := celexpr.String(form.Of(celexpr.Field(celexpr.Name("self"), "value")))
		if search.NewUniverse(root, nil, 1, &evidence.Work{}).Compile([]string{text}) == nil {
			t.Errorf("%s does not compile", text)
		}
	}
}

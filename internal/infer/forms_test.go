package infer

import (
	"testing"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/infer/rules"
)

// TestForms: the forms of texts compile. One that does not is left out silently, because not every form fits every schema.
func TestForms(t *testing.T) {
	root := &spec.Schema{SchemaProps: spec.SchemaProps{Type: []string{"object"}, Properties: map[string]spec.Schema{"value": *spec.StringProperty()}}}
	for _, form := range rules.TextFormats() {
		if newUniverse(root, nil, 1, &evidence.Work{}).compile([]string{rules.Negated(form.Of("self.value"))}) == nil {
			t.Errorf("%s does not compile", form.Of("self.value"))
		}
	}
}

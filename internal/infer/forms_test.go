package infer

import (
	"testing"

	"k8s.io/kube-openapi/pkg/validation/spec"
)

// TestForms: the forms of texts compile. One that does not is left out silently, because not every form fits every schema.
func TestForms(t *testing.T) {
	root := &spec.Schema{SchemaProps: spec.SchemaProps{Type: []string{"object"}, Properties: map[string]spec.Schema{"value": *spec.StringProperty()}}}
	for _, form := range textFormats() {
		if newUniverse(root, nil, 1, &work{}).compile([]string{negated(form.of("self.value"))}) == nil {
			t.Errorf("%s does not compile", form.of("self.value"))
		}
	}
}

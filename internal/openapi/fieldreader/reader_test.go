package fieldreader_test

import (
	"slices"
	"testing"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/openapi/fieldreader"
)

// TestReader: rules escape names and see no null; policies read objects as they are.
func TestReader(t *testing.T) {
	text := spec.StringProperty()
	nullable := *text
	nullable.Nullable = true
	schema := &spec.Schema{SchemaProps: spec.SchemaProps{
		Required:   []string{"r", "z"},
		Properties: map[string]spec.Schema{"r": *text, "z": nullable, "namespace": *text, "a": *text},
	}}
	for _, tt := range []struct {
		why, expression string
		ofDefinition    bool
		want            []string
	}{
		{"a required field", "self.r == ''", true, nil},
		{"an optional field", "self.a == ''", true, []string{"self.a"}},
		{"has() of another field", "has(self.r) && self.a == ''", true, []string{"self.a"}},
		{"has()", "has(self.a) ? self.a == '' : true", true, nil},
		{"a null is absent for a rule", "self.z == ''", true, []string{"self.z"}},
		{"a policy reads it", "self.z == ''", false, nil},
		{"a rule escapes the name", "self.__namespace__ == ''", true, []string{"self.namespace"}},
		{"a policy does not", "self.__namespace__ == ''", false, nil},
	} {
		reader := fieldreader.Reader{Roots: map[string]*spec.Schema{"self": schema}, OfDefinition: tt.ofDefinition}
		reader.Read(celexpr.Parse(tt.expression), nil)
		if !slices.Equal(reader.Found, tt.want) {
			t.Errorf("%s: %s reads %v, want %v", tt.why, tt.expression, reader.Found, tt.want)
		}
	}
}

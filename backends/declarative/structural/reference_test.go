package structural_test

import (
	"fmt"
	"slices"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	upstream "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/structural"
	"github.com/diffrun/diffrun/internal/openapi"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// reference is apiextensions-apiserver's check. It returns false if the schema cannot be converted.
func reference(t testing.TB, p *apiextensionsv1.JSONSchemaProps) (field.ErrorList, bool) {
	t.Helper()
	var internal apiextensions.JSONSchemaProps
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(p, &internal, nil); err != nil {
		t.Fatal(err)
	}
	s, err := upstream.NewStructural(&internal)
	if err != nil {
		return nil, false
	}
	return upstream.ValidateStructural(nil, s.DeepCopy()), true
}

// lines prints errors in the form that is compared: type, field and detail, each once.
func lines(errs field.ErrorList) []string {
	all := []string{}
	for _, e := range errs {
		all = append(all, fmt.Sprintf("%s %s: %s", e.Type, e.Field, e.Detail))
	}
	slices.Sort(all)
	return all
}

// checkReference checks that Check finds everything that apiextensions-apiserver finds.
func checkReference(t *testing.T, p *apiextensionsv1.JSONSchemaProps) {
	t.Helper()
	want, ok := reference(t, p)
	s, err := openapi.FromProps(p)
	if err != nil {
		t.Fatal(err)
	}
	got := lines(structural.Check(s))
	if !ok && len(got) == 0 {
		t.Errorf("apiextensions-apiserver cannot convert what we find structural: %s", served.Text(p))
	}
	for _, line := range lines(want) {
		if !slices.Contains(got, line) {
			t.Errorf("apiextensions-apiserver finds %s\nand we find %q in %s", line, got, served.Text(p))
		}
	}
}

func sortedCopy(all []string) []string {
	out := append([]string{}, all...)
	slices.Sort(out)
	return out
}

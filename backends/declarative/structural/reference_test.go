package structural_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	upstream "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/structural"
	"github.com/diffrun/diffrun/internal/openapi"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// checkProps checks a schema as it stands in a CustomResourceDefinition.
func checkProps(t testing.TB, p *apiextensionsv1.JSONSchemaProps, opts structural.Options) field.ErrorList {
	t.Helper()
	s, err := openapi.FromProps(p)
	if err != nil {
		t.Fatal(err)
	}
	return structural.Check(s, opts)
}

// reference is apiextensions-apiserver's check. False: it cannot convert the schema.
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

// lines are errors as they are compared: type, field and detail, each once.
func lines(errs field.ErrorList) []string {
	all := []string{}
	for _, e := range errs {
		all = append(all, fmt.Sprintf("%s %s: %s", e.Type, e.Field, e.Detail))
	}
	slices.Sort(all)
	return all
}

// checkReference holds Check against apiextensions-apiserver.
func checkReference(t *testing.T, p *apiextensionsv1.JSONSchemaProps) (found int) {
	t.Helper()
	want, ok := reference(t, p)
	got := checkProps(t, p, structural.Options{Completeness: structural.CompleteAtRoot})
	if !ok {
		if len(got) == 0 {
			t.Errorf("apiextensions-apiserver cannot convert what we find structural: %s", served.Text(p))
		}
		return len(got)
	}
	if diff := cmp.Diff(lines(want), lines(got)); diff != "" {
		t.Errorf("apiextensions-apiserver against ours:\n%s\n%s", diff, served.Text(p))
	}
	return len(want)
}

func sortedCopy(all []string) []string {
	out := append([]string{}, all...)
	slices.Sort(out)
	return out
}

package gosource_test

import (
	"strings"
	"testing"

	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/internal/schema/gosource"
	"github.com/diffrun/diffrun/internal/testing/served"
)

const testdata = "../../../cases/testdata/gotypes/"

func load(t *testing.T, argument string) *gosource.Source {
	t.Helper()
	of, is, err := gosource.Parse(argument)
	if err != nil || !is {
		t.Fatal(is, err)
	}
	source, err := gosource.Load(of, gosource.Config{})
	if err != nil {
		t.Fatal(err)
	}
	return source
}

// TestEmbeddedTypes: a pod template in a user's type has the same requirements as in Kubernetes.
func TestEmbeddedTypes(t *testing.T) {
	source := load(t, "go:"+testdata+"embedded/v1.Runner")
	for _, each := range source.Unexpressed {
		if strings.Contains(each.Why, "+k8s:customValidation") {
			continue // the tag says no more than that there is hand-written code
		}
		t.Errorf("%s: %s", each.Position, each.Why)
	}
	validator, err := declarative.Compile(source.Root, declarative.Options{
		Definitions:       source.Definitions,
		Root:              true,
		WithoutEstimation: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	const container = `{apiVersion: example.com/v1, kind: Runner, metadata: {name: a}, spec: {template: {spec: {containers: ` +
		`[{name: NAME, image: a}]}}, selector: {matchExpressions: [{key: a, operator: OPERATOR}]}}}`
	for _, row := range []struct{ why, name, operator, field string }{
		{"the name of a container", "x_Y", "Exists", "spec.template.spec.containers[0].name"},
		{"the operator of a selector", "x", "Wrong", "spec.selector.matchExpressions[0].operator"},
	} {
		object := served.Object(t, strings.NewReplacer("NAME", row.name, "OPERATOR", row.operator).Replace(container))
		errs := validator.Validate(t.Context(), value.NewValueInterface(object), nil)
		found := false
		for _, each := range errs {
			found = found || each.Field == row.field
		}
		if !found {
			t.Errorf("%s: no error at %s in %v", row.why, row.field, errs)
		}
	}
}

// TestEmbeddedTypesOfDefinitions: the same for a kubebuilder project, on request. Otherwise the definition is
// that of controller-gen.
func TestEmbeddedTypesOfDefinitions(t *testing.T) {
	of, _, err := gosource.Parse("go:" + testdata + "embedded/v1beta1.Runner")
	if err != nil {
		t.Fatal(err)
	}
	const container = `{apiVersion: example.com/v1beta1, kind: Runner, metadata: {name: a}, spec: {template: {spec: ` +
		`{containers: [{name: x_Y, image: a}], volumes: [{name: a, projected: {sources: [{}]}}]}}, selector: {matchExpressions: ` +
		`[{key: a, operator: Wrong}]}}}`
	const labels = `{apiVersion: example.com/v1beta1, kind: Runner, metadata: {name: a}, spec: {template: {spec: {containers: ` +
		`[{name: x, image: a, imagePullPolicy: Always, terminationMessagePolicy: File}]}}, selector: {matchLabels: {a b: one, c d: two}}}}`
	for _, bundled := range []bool{false, true} {
		source, err := gosource.Load(of, gosource.Config{BundledRules: bundled})
		if err != nil {
			t.Fatal(err)
		}
		for _, each := range source.Unexpressed {
			if !strings.Contains(each.Why, "the bundled rule does not compile in a definition, so it is left out: ") {
				t.Errorf("%s: %s", each.Position, each.Why)
			}
		}
		if left := len(source.Unexpressed) > 0; left != bundled {
			t.Errorf("with bundled rules %t: rules are left out: %t; the one of projected volumes adds lists of two types", bundled, left)
		}
		schema := source.Definition.Versions[0].Schema
		validator, err := declarative.Compile(schema, declarative.Options{
			Root:              true,
			Semantics:         declarative.CustomResources,
			WithoutEstimation: true,
		})
		if err != nil {
			t.Fatal(err)
		}
		found := map[string]bool{}
		for _, each := range validator.Validate(t.Context(), value.NewValueInterface(served.Object(t, container)), nil) {
			found[each.Field] = true
		}
		for _, field := range []string{"spec.template.spec.containers[0].name", "spec.selector.matchExpressions[0].operator"} {
			if found[field] != bundled {
				t.Errorf("with bundled rules %t: an error at %s: %t", bundled, field, found[field])
			}
		}
		switch errs := validator.Validate(t.Context(), value.NewValueInterface(served.Object(t, labels)), nil); {
		case !bundled && len(errs) > 0:
			t.Errorf("without bundled rules: %v", errs)
		case bundled && (len(errs) != 1 || strings.Count(errs[0].Detail, "; ") != 1):
			t.Errorf("a definition has no messages that are lists, so both bad keys are in one error; got %v", errs)
		}
	}
}

// TestVersions: several packages are versions of one definition.
func TestVersions(t *testing.T) {
	source := load(t, "go:"+testdata+"versions/v1alpha1,"+testdata+"versions/v1.Widget")
	if source.Definition == nil {
		t.Fatal("no definition")
	}
	limits := map[string]float64{}
	for _, version := range source.Definition.Versions {
		limits[version.Version] = *version.Schema.Properties["spec"].Properties["size"].Maximum
	}
	if limits["v1"] != 5 || limits["v1alpha1"] != 9 {
		t.Errorf("the maximum of each version is that of its own package; got %v", limits)
	}
}

func TestReferences(t *testing.T) {
	for _, row := range []struct{ why, argument, want string }{
		{"a folder", "go:./api/v1.Widget", "go:./api/v1.Widget"},
		{"an import path with dots", "go:k8s.io/api/core/v1.PodSpec", "go:k8s.io/api/core/v1.PodSpec"},
		{"the working directory", "go:.Widget", "go:..Widget"},
		{"a file", "crd.yaml", ""},
		{"no type", "go:./api/v1", "mistake"},
		{"no package", "go:Widget", "mistake"},
	} {
		of, is, err := gosource.Parse(row.argument)
		got := ""
		switch {
		case err != nil:
			got = "mistake"
		case is:
			got = of.String()
		}
		if got != row.want {
			t.Errorf("%s: %s gives %q, want %q", row.why, row.argument, got, row.want)
		}
	}
}

package declarative_test

import (
	"math/rand/v2"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/declarative/apiresource"
	"github.com/diffrun/diffrun/backends/declarative/subresource"
	upstream "github.com/diffrun/diffrun/backends/reference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// resourceHarness compares the API server's own strategy for a version with the
// declarative backend.
func resourceHarness(t testing.TB, crd *apiextensionsv1.CustomResourceDefinition,
	version *apiextensionsv1.CustomResourceDefinitionVersion) *harness.Harness {
	t.Helper()
	ref, err := upstream.CompileResource(crd, version.Name, upstream.Options{})
	if err != nil {
		t.Fatal(err)
	}
	decl, err := apiresource.Compile(served.Converted(t, version.Schema.OpenAPIV3Schema), apiresource.Options{
		Kind:         schema.GroupVersionKind{Group: crd.Spec.Group, Version: version.Name, Kind: crd.Spec.Names.Kind},
		Namespaced:   crd.Spec.Scope == apiextensionsv1.NamespaceScoped,
		Subresources: subresource.Of(version),
	})
	if err != nil {
		t.Fatal(err)
	}
	h, err := against(ref, apiresource.Backend{Validator: decl})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// TestCRDsAgainstReference compares the declarative backend with the reference on real schemas, with
// generated objects and updates of them.
func TestCRDsAgainstReference(t *testing.T) {
	for _, file := range served.Definitions(t) {
		crd := served.Definition(t, file)
		for i := range crd.Spec.Versions {
			version := &crd.Spec.Versions[i]
			t.Run(crd.Name+" "+version.Name, func(t *testing.T) {
				t.Parallel()
				h := resourceHarness(t, crd, version)
				seen, invalid := 0, 0
				for _, p := range resourcePairs(crd, version, *crdPairs) {
					difference, valid := compared(t.Context(), h, p)
					if difference != "" {
						t.Fatalf("-seed %d, pair %d: %s\nobject: %s\nold:    %s", *seed, seen, difference, asJSON(t, p.obj),
							asJSON(t, p.old))
					}
					if seen++; !valid {
						invalid++
					}
				}
				if invalid == 0 || invalid == seen {
					t.Errorf("%d of %d objects are invalid: the generator does not sit on the bounds", invalid, seen)
				}
			})
		}
	}
}

// resourcePairs makes objects of a kind and updates of them: small and larger ones, with no, few and many
// mistakes.
func resourcePairs(crd *apiextensionsv1.CustomResourceDefinition, version *apiextensionsv1.CustomResourceDefinitionVersion,
	count int) []pair {
	src := rand.New(rand.NewPCG(*seed, 0))
	props := version.Schema.OpenAPIV3Schema
	var all []pair
	for i := 0; len(all) < count; i++ {
		opts := generate.ObjectOptions{
			Faults: []int{0, 200, 40, 8, 0}[i%5], Values: []int{20, 60, 200}[i%3],
			Generous: i%7 == 0, Defaulted: i%2 == 0,
			APIVersion: crd.Spec.Group + "/" + version.Name, Kind: crd.Spec.Names.Kind,
		}
		obj := generate.Object(src, props, opts)
		all = append(all, pair{obj: obj})
		opts.Faults = 20
		all = append(all, pair{obj: generate.Vary(src, props, obj, opts), old: obj})
	}
	return all
}

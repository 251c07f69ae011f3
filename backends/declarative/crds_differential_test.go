package declarative_test

import (
	"encoding/json"
	"math/rand/v2"
	"testing"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/yaml"

	"github.com/diffrun/diffrun/backends/declarative/customresource"
	"github.com/diffrun/diffrun/backends/declarative/subresource"
	upstream "github.com/diffrun/diffrun/backends/reference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/generate"
	"github.com/diffrun/diffrun/internal/served"
)

// resourceHarness compares the API server's own strategy for a version with the
// declarative backend.
func resourceHarness(t testing.TB, crd *apiextensionsv1.CustomResourceDefinition, version *apiextensionsv1.CustomResourceDefinitionVersion) *harness.Harness {
	t.Helper()
	ref, err := upstream.CompileResource(crd, version.Name, upstream.Options{})
	if err != nil {
		t.Fatal(err)
	}
	h, err := against(ref, customresource.Backend{Validator: compiledResource(t, crd, version)})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func compiledResource(t testing.TB, crd *apiextensionsv1.CustomResourceDefinition, version *apiextensionsv1.CustomResourceDefinitionVersion) *customresource.Validator {
	t.Helper()
	s := &spec.Schema{}
	if err := json.Unmarshal([]byte(asJSON(t, version.Schema.OpenAPIV3Schema)), s); err != nil {
		t.Fatal(err)
	}
	decl, err := customresource.Compile(s, customresource.Options{
		Kind:         schema.GroupVersionKind{Group: crd.Spec.Group, Version: version.Name, Kind: crd.Spec.Names.Kind},
		Namespaced:   crd.Spec.Scope == apiextensionsv1.NamespaceScoped,
		Subresources: subresource.Of(version),
	})
	if err != nil {
		t.Fatal(err)
	}
	return decl
}

// TestCRDsAgainstReference holds the declarative backend against the reference on
// real schemas, with generated objects and updates of them.
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
						t.Fatalf("-seed %d, pair %d: %s\nobject: %s\nold:    %s", *seed, seen, difference, asJSON(t, p.obj), asJSON(t, p.old))
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

// resourcePairs makes objects of a kind, with no faults, a few and many, small ones
// and larger ones, and updates of them.
func resourcePairs(crd *apiextensionsv1.CustomResourceDefinition, version *apiextensionsv1.CustomResourceDefinitionVersion, count int) []pair {
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
		all = append(all, pair{obj: generate.Update(src, props, obj, opts), old: obj})
	}
	return all
}

// resourceCase is an object of a small resource with a scale subresource.
type resourceCase struct{ name, why, object, old string }

func resourceCases() []resourceCase {
	return []resourceCase{
		{"scale below zero", "the replicas at the three paths of scale are validated, with a leading dot in the field",
			`{apiVersion: example.dev/v1, kind: Thing, metadata: {name: a, namespace: b}, spec: {replicas: -1}}`, ""},
		{"scale of a float", "3.0 is an integer for the schema and not for scale",
			`{apiVersion: example.dev/v1, kind: Thing, metadata: {name: a, namespace: b}, spec: {replicas: 3.0}}`, ""},
		{"metadata", "name, namespace and labels are validated at the root", `{apiVersion: example.dev/v1, kind: Thing, metadata: {name: A, labels: {"-": x}}}`, ""},
		{"metadata on update", "the name cannot change", `{apiVersion: example.dev/v1, kind: Thing, metadata: {name: a, namespace: b, resourceVersion: "1"}}`,
			`{apiVersion: example.dev/v1, kind: Thing, metadata: {name: c, namespace: b, resourceVersion: "1"}}`},
		{"type", "apiVersion and kind are those of the resource", `{apiVersion: example.dev/v2, kind: Other, metadata: {name: a, namespace: b}}`, ""},
	}
}

// TestResourceAgainstReference holds what a resource has beside its schema.
func TestResourceAgainstReference(t *testing.T) {
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if err := yaml.UnmarshalStrict([]byte(thingCRD), crd); err != nil {
		t.Fatal(err)
	}
	h := resourceHarness(t, crd, &crd.Spec.Versions[0])
	for _, tt := range resourceCases() {
		t.Run(tt.name, func(t *testing.T) {
			difference, valid := compared(t.Context(), h, pair{obj: document(t, tt.object), old: document(t, tt.old)})
			if difference != "" {
				t.Errorf("%s: %s", tt.why, difference)
			} else if valid {
				t.Errorf("the reference finds it valid; this row shows nothing (%s)", tt.why)
			}
		})
	}
}

const thingCRD = `
metadata: {name: things.example.dev}
spec:
  group: example.dev
  names: {plural: things, kind: Thing}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}, scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas, labelSelectorPath: .status.selector}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {replicas: {type: integer}}}
          status: {type: object, properties: {replicas: {type: integer}, selector: {type: string}}}
`

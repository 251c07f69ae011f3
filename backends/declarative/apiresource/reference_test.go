package apiresource_test

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/yaml"

	"github.com/diffrun/diffrun/backends/declarative/apiresource"
	"github.com/diffrun/diffrun/backends/reference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
	"github.com/diffrun/diffrun/internal/testing/randomschema"
	"github.com/diffrun/diffrun/internal/testing/served"
)

var (
	seed  = flag.Uint64("seed", 1, "of the generated schemas and objects")
	pairs = flag.Int("pairs", 1500, "how many generated requests to compare")
)

// things returns a CustomResourceDefinition with this schema and both subresources.
func things(schema *apiextensionsv1.JSONSchemaProps) *apiextensionsv1.CustomResourceDefinition {
	selector := ".status.selector"
	crd := &apiextensionsv1.CustomResourceDefinition{}
	crd.Name = "things.example.dev"
	crd.Spec.Group, crd.Spec.Scope = "example.dev", apiextensionsv1.NamespaceScoped
	crd.Spec.Names = apiextensionsv1.CustomResourceDefinitionNames{Kind: "Thing", Plural: "things"}
	crd.Spec.Versions = []apiextensionsv1.CustomResourceDefinitionVersion{{
		Name: "v1", Served: true, Storage: true,
		Schema: &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: schema},
		Subresources: &apiextensionsv1.CustomResourceSubresources{
			Status: &apiextensionsv1.CustomResourceSubresourceStatus{},
			Scale: &apiextensionsv1.CustomResourceSubresourceScale{
				SpecReplicasPath:   ".spec.replicas",
				StatusReplicasPath: ".status.replicas",
				LabelSelectorPath:  &selector,
			},
		},
	}}
	return crd
}

// both compiles a resource for the declarative backend and the reference.
func both(t testing.TB, crd *apiextensionsv1.CustomResourceDefinition) (decl, ref harness.Backend) {
	t.Helper()
	version := crd.Spec.Versions[0]
	s := served.Converted(t, version.Schema.OpenAPIV3Schema)
	resource := resourceOf(crd, s)
	opts := resource.Options(resource.Versions[0])
	opts.Schema.WithoutEstimation = true
	validator, err := apiresource.Compile(s, opts)
	if err != nil {
		t.Fatalf("%v\nschema: %s", err, served.Text(version.Schema.OpenAPIV3Schema))
	}
	upstream, err := reference.CompileResource(crd, version.Name, reference.Options{})
	if err != nil {
		t.Fatalf("%v\nschema: %s", err, served.Text(version.Schema.OpenAPIV3Schema))
	}
	return apiresource.Backend{Validator: validator}, reference.NewBackend(upstream)
}

// resourceOf returns the Resource of the versions of a definition, with their schemas.
func resourceOf(crd *apiextensionsv1.CustomResourceDefinition, schemas ...*spec.Schema) apiresource.Resource {
	var versions []apiresource.Version
	for i, schema := range schemas {
		versions = append(versions, apiresource.Version{Name: crd.Spec.Versions[i].Name, Schema: schema})
	}
	return apiresource.New(crd, versions...)
}

// asked returns the errors of a backend in a form that can be compared.
func asked(t testing.TB, backend harness.Backend, object, old map[string]any, sub string) []string {
	t.Helper()
	in := &harness.Input{Request: harness.Request{Operation: admissionv1.Create, Subresource: sub}, Object: contract.NewView(object)}
	if old != nil {
		in.Operation, in.Old = admissionv1.Update, contract.NewView(old)
	}
	errs, err := backend.Validate(context.Background(), in)
	if err != nil {
		t.Fatalf("%s: %v", backend.Name(), err)
	}
	return written(fielderror.Canonical(errs))
}

func written(errs field.ErrorList) []string {
	all := []string{}
	for _, err := range errs {
		all = append(all, fmt.Sprintf("%s %s: %s (%s)", string(err.Type), err.Field, err.Detail, served.Text(err.BadValue)))
	}
	return all
}

func parse[Out any](t testing.TB, text string) *Out {
	t.Helper()
	out := new(Out)
	if err := yaml.UnmarshalStrict([]byte(text), out); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return out
}

// document parses an object. An empty text is no object.
func document(t testing.TB, text string) map[string]any {
	t.Helper()
	if text == "" {
		return nil
	}
	return served.Object(t, text)
}

const statusSchema = `
type: object
required: [spec]
properties:
  spec:
    type: object
    required: [size]
    properties:
      size: {type: integer, maximum: 10}
      replicas: {type: integer}
      tags: {type: array, items: {type: string}, x-kubernetes-list-type: set}
  status:
    type: object
    required: [phase]
    x-kubernetes-validations:
    - {rule: "!has(self.ready) || self.ready <= 5", message: too ready}
    properties:
      phase: {type: string, enum: ["On", "Off"]}
      ready: {type: integer}
      replicas: {type: integer}
      selector: {type: string}
      name: {type: string, maxLength: 3}
      since: {type: string, format: date-time}
      names: {type: array, items: {type: string}, x-kubernetes-list-type: set}
      either: {anyOf: [{minimum: 3}, {maximum: 1}], type: integer}
      of: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
x-kubernetes-validations:
- {rule: "!has(self.status) || !has(self.status.ready) || self.status.ready <= self.spec.size", message: more than there are}
`

const thing = `apiVersion: example.dev/v1, kind: Thing, metadata: {name: a, namespace: b, resourceVersion: "1"}`

// TestAgainstReference compares the validation of a whole resource with the API server's strategy.
func TestAgainstReference(t *testing.T) {
	for _, tt := range []struct{ name, why, sub, object, old string }{
		{"valid", "nothing to say", "", `{` + thing + `, spec: {size: 1}, status: {phase: On}}`, ""},
		{"wrong kind", "neither metadata nor values are validated then", "",
			`{apiVersion: example.dev/v2, kind: Other, metadata: {name: A}, spec: {size: 11}}`, ""},
		{"wrong kind, and rules", "they are run, as nothing blocks them", "",
			`{apiVersion: example.dev/v1, kind: Other, metadata: {name: A}, spec: {size: 11, tags: [a, a]}, status: {phase: ` +
				`Broken, ready: 9}}`, ""},
		{"wrong kind, and an embedded resource", "what is required in it blocks the rules", "",
			`{apiVersion: example.dev/v1, kind: Other, metadata: {name: A}, spec: {size: x}, status: {phase: Broken, since: x, ` +
				`ready: 9, of: {kind: "-"}}}`, ""},
		{"wrong kind, and metadata inside", "that of an embedded resource has formats, and those are no values", "",
			`{apiVersion: example.dev/v1, kind: Other, metadata: {name: A}, spec: {size: 1e30}, status: {since: x, of: {apiVersion: ` +
				`v1, kind: Pod, metadata: {labels: {a: ü}}}}}`, ""},
		{"wrong kind, updated", "a list that was wrong already is not reported", "",
			`{apiVersion: example.dev/v1, kind: Other, metadata: {name: A}, spec: {size: 11, tags: [a, a]}, status: {phase: ` +
				`Broken, ready: 9}}`, `{` + thing + `, spec: {size: 1, tags: [b, b]}}`},
		{"no kind", "it is wrong, too", "", `{apiVersion: example.dev/v1, metadata: {name: A}, spec: {size: 11}, status: {ready: 9}}`, ""},
		{"no apiVersion", "it is wrong, too", "", `{kind: Thing, metadata: {name: a, namespace: b}, spec: {size: 1}, status: {ready: 9}}`,
			""},
		{"an invalid apiVersion", "the kind cannot be read either", "", `{apiVersion: a/b/c, kind: Thing, metadata: {name: a, ` +
			`namespace: b}, spec: {size: 1}}`, ""},
		{"a kind and an apiVersion that are no text", "they are as if they were not there", "",
			`{apiVersion: 1, kind: [], metadata: {name: a, namespace: b}, spec: {size: 1}}`, ""},
		{"no name", "metadata is validated, and blocks the rules", "", `{apiVersion: example.dev/v1, kind: Thing, metadata: ` +
			`{namespace: b}, spec: {size: 1}, status: {phase: On, ready: 9}}`, ""},
		{"bad name and label", "metadata that does not block rules", "", `{apiVersion: example.dev/v1, kind: Thing, metadata: ` +
			`{name: A, namespace: b, labels: {"-": x}}, spec: {size: 1}, status: {phase: On, ready: 9}}`, ""},
		{"no metadata", "name and namespace are wanted", "", `{apiVersion: example.dev/v1, kind: Thing, spec: {size: 1}}`, ""},
		{"new name", "it cannot change", "", `{apiVersion: example.dev/v1, kind: Thing, metadata: {name: c, namespace: b, ` +
			`resourceVersion: "1"}, spec: {size: 1}}`, `{` + thing + `, spec: {size: 1}}`},
		{"no resourceVersion", "an update needs one", "", `{apiVersion: example.dev/v1, kind: Thing, metadata: {name: a, ` +
			`namespace: b}, spec: {size: 1}}`, `{` + thing + `, spec: {size: 1}}`},
		{"scale", "the three paths, with a leading dot", "",
			`{` + thing + `, spec: {size: 1, replicas: -1}, status: {phase: On, replicas: 2147483648, selector: a}}`, ""},
		{"a scale with wrong types", "beside the errors of the schema", "",
			`{` + thing + `, spec: {size: 1, replicas: 3.0}, status: {phase: On, replicas: x, selector: 1}}`, ""},
		{"spec and status", "both are validated on the main resource", "",
			`{` + thing + `, spec: {size: 11}, status: {phase: Broken, name: long}}`, ""},

		{"status valid", "nothing to say", "status", `{` + thing + `, spec: {size: 1}, status: {phase: On}}`, `{` + thing +
			`, spec: {size: 1}}`},
		{"invalid spec", "only the status is validated", "status", `{` + thing + `, spec: {size: 11}, status: {phase: On}}`,
			`{` + thing + `, spec: {size: 11}}`},
		{"no spec", "what is required outside does not matter", "status", `{` + thing + `, status: {phase: On}}`, `{` + thing + `}`},
		{"each keyword", "paths and texts are those of the projection", "status",
			`{` + thing + `, spec: {size: 1}, status: {phase: Broken, name: long, since: x, either: 2}}`, `{` + thing +
				`, spec: {size: 1}}`},
		{"no phase", "an error of the whole status, which blocks rules", "status",
			`{` + thing + `, spec: {size: 1}, status: {ready: 9}}`, `{` + thing + `, spec: {size: 1}}`},
		{"wrong type", "an error of the whole status", "status", `{` + thing + `, spec: {size: 1}, status: 1}`,
			`{` + thing + `, spec: {size: 1}}`},
		{"null", "is of the wrong type", "status", `{` + thing + `, spec: {size: 1}, status: null}`, `{` + thing + `, spec: {size: 1}}`},
		{"rules", "those of the status and of the root", "status", `{` + thing + `, spec: {size: 1}, status: {phase: On, ready: 9}}`,
			`{` + thing + `, spec: {size: 1}}`},
		{"bad number does not block", "Invalid lets rules run", "status",
			`{` + thing + `, spec: {size: 1}, status: {phase: On, ready: 9, either: 2}}`, `{` + thing + `, spec: {size: 1}}`},
		{"unchanged errors", "ratcheted", "status", `{` + thing + `, spec: {size: 1}, status: {phase: Broken, name: long}}`,
			`{` + thing + `, spec: {size: 1}, status: {phase: Broken, name: longer}}`},
		{"same twice", "lists of unique items", "status", `{` + thing + `, spec: {size: 1}, status: {phase: On, names: [a, a]}}`,
			`{` + thing + `, spec: {size: 1}}`},
		{"same twice outside", "looked at, and not reported as they were there", "status",
			`{` + thing + `, spec: {size: 1, tags: [a, a]}, status: {phase: On, names: [a, a]}}`, `{` + thing +
				`, spec: {size: 1, tags: [a, a]}}`},
		{"embedded", "not validated in a status", "status", `{` + thing +
			`, spec: {size: 1}, status: {phase: On, ready: 9, of: {kind: "-"}}}`,
			`{` + thing + `, spec: {size: 1}}`},
		{"scale in the status", "replicas of the spec are not looked at", "status",
			`{` + thing + `, spec: {size: 1, replicas: -1}, status: {phase: On, replicas: -1}}`, `{` + thing +
				`, spec: {size: 1, replicas: -1}}`},
		{"a status of the wrong kind", "lists and rules are looked at", "status",
			`{apiVersion: example.dev/v1, kind: Other, metadata: {name: a, namespace: b, resourceVersion: "1"}, spec: {size: 1}, ` +
				`status: {ready: 9, names: [a, a], of: {kind: "-"}}}`, `{` + thing + `, spec: {size: 1}}`},
		{"no status", "nothing to validate but the rules", "status", `{` + thing + `, spec: {size: 1}}`,
			`{` + thing + `, spec: {size: 1}, status: {phase: On}}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			decl, ref := both(t, things(parse[apiextensionsv1.JSONSchemaProps](t, statusSchema)))
			object, old := document(t, tt.object), document(t, tt.old)
			before := runtime.DeepCopyJSON(object)
			want := asked(t, ref, runtime.DeepCopyJSON(object), runtime.DeepCopyJSON(old), tt.sub)
			if diff := cmp.Diff(want, asked(t, decl, object, old, tt.sub)); diff != "" {
				t.Errorf("%s (-reference +declarative):\n%s", tt.why, diff)
			}
			if diff := cmp.Diff(before, object); diff != "" {
				t.Errorf("the object was changed:\n%s", diff)
			}
		})
	}
}

// TestOtherSchemasAgainstReference does the same for schemas with features that the schema of things cannot
// have.
func TestOtherSchemasAgainstReference(t *testing.T) {
	for _, tt := range []struct{ name, why, schema, sub, object, old string }{
		{"metadata blocks no rule", "there is none that was not checked", `{type: object, properties: {spec: {type: object}}}`, "",
			`{apiVersion: example.dev/v1, kind: Thing, metadata: {namespace: b}, spec: {}}`, ""},
		{"invalid metadata blocks a rule of a map", "it was not checked", `{type: object, properties: {spec: {type: object, ` +
			`additionalProperties: {type: string, x-kubernetes-validations: [{rule: self != ''}]}}}}`, "",
			`{apiVersion: example.dev/v1, kind: Thing, metadata: {namespace: b}, spec: {}}`, ""},
		{"a rule in a branch", "it is about the whole object, of which the status is a part",
			`{type: object, properties: {status: {type: object, properties: {"n": {type: integer}}}}, x-kubernetes-validations: ` +
				`[{rule: 'true'}],
			allOf: [{x-kubernetes-validations: [{rule: "self.status.n < 5", message: large}]}]}`, "status",
			`{` + thing + `, status: {"n": 9}}`, `{` + thing + `, status: {"n": 1}}`},
		{"status that is a list", "a dot stands before its indices", `{type: object, properties: {status: {type: array, items: ` +
			`{type: integer, maximum: 3}}}}`, "status",
			`{` + thing + `, status: [1, x, 9]}`, `{` + thing + `, status: [1]}`},
		{"status that is a map", "a key follows it like a field", `{type: object, properties: {status: {type: object, ` +
			`additionalProperties: {type: integer, maximum: 3}}}}`, "status",
			`{` + thing + `, status: {a: 1, b: x, c: 9}}`, `{` + thing + `}`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			crd := things(served.Props(t, tt.schema))
			crd.Spec.Versions[0].Subresources.Scale = nil
			decl, ref := both(t, crd)
			object, old := document(t, tt.object), document(t, tt.old)
			want := asked(t, ref, runtime.DeepCopyJSON(object), runtime.DeepCopyJSON(old), tt.sub)
			if diff := cmp.Diff(want, asked(t, decl, object, old, tt.sub)); diff != "" || len(want) == 0 {
				t.Errorf("%s (-reference +declarative):\n%s", tt.why, diff)
			}
		})
	}
}

// TestClusterScopedAgainstReference: a cluster-scoped object has no namespace.
func TestClusterScopedAgainstReference(t *testing.T) {
	crd := things(served.Props(t, `{type: object}`))
	crd.Spec.Scope, crd.Spec.Versions[0].Subresources = apiextensionsv1.ClusterScoped, nil
	decl, ref := both(t, crd)
	for namespace, valid := range map[string]bool{"": true, "b": false} {
		object := document(t, `{apiVersion: example.dev/v1, kind: Thing, metadata: {name: a}}`)
		if namespace != "" {
			object["metadata"].(map[string]any)["namespace"] = namespace
		}
		want := asked(t, ref, runtime.DeepCopyJSON(object), nil, "")
		if diff := cmp.Diff(want, asked(t, decl, object, nil, "")); diff != "" || (len(want) == 0) != valid {
			t.Errorf("namespace %q (-reference +declarative):\n%s\n%v", namespace, diff, want)
		}
	}
}

// repeats is how often the reference is asked: if several properties are invalid, the iteration order of
// Go's maps decides which of them a rule fails on, and whether it fails at all.
const repeats = 8

// TestGeneratedAgainstReference does the same for generated schemas and updates of the status.
func TestGeneratedAgainstReference(t *testing.T) {
	t.Logf("seed %d, %d requests (-seed, -pairs)", *seed, *pairs)
	invalid := 0
	for done, round := 0, uint64(0); done < *pairs; round++ {
		src := rand.New(rand.NewPCG(*seed, round))
		root := randomschema.Make(src, randomschema.Options{})
		status := randomschema.Make(src, randomschema.Options{})
		if _, has := root.Properties["status"]; has {
			continue // its rules are about a different status
		}
		root.Properties["status"] = *status
		crd := things(root)
		crd.Spec.Versions[0].Subresources.Scale = nil
		decl, ref := both(t, crd)
		for range 10 {
			// Everything outside of the status was validated when it was stored.
			old := generate.Object(src, root, generate.ObjectOptions{})
			object := runtime.DeepCopyJSON(old)
			opts := generate.ObjectOptions{Faults: []int{0, 12, 4}[done%3], Generous: true}
			object["status"] = generate.Object(src, root, opts)["status"]
			if object["status"] == nil {
				delete(object, "status")
			}
			if !agree(t, decl, ref, object, old) {
				t.Fatalf("-seed %d, round %d\nschema: %s\nobject: %s\nold: %s", *seed, round, served.Text(root), served.Text(object),
					served.Text(old))
			}
			if len(asked(t, decl, object, old, "status")) > 0 {
				invalid++
			}
			done++
		}
	}
	if invalid < *pairs/20 || invalid > *pairs*95/100 {
		t.Errorf("%d of %d requests are invalid: the generator does not sit on the bounds", invalid, *pairs)
	}
}

// agree reports whether one answer of the reference equals that of the declarative backend, or whether
// each of its errors is in some answer of the reference, and none is missing that all of them have.
func agree(t *testing.T, decl, ref harness.Backend, object, old map[string]any) bool {
	t.Helper()
	got, first, answers, varied := asked(t, decl, object, old, "status"), "", map[string]int{}, false
	for range repeats {
		want := asked(t, ref, runtime.DeepCopyJSON(object), runtime.DeepCopyJSON(old), "status")
		diff := cmp.Diff(want, got)
		if diff == "" {
			return true
		}
		varied = varied || first != "" && diff != first
		if first == "" {
			first = diff
		}
		for _, line := range slices.Compact(want) {
			answers[line]++
		}
	}
	never := !varied || slices.ContainsFunc(got, func(line string) bool { return answers[line] == 0 })
	for line, count := range answers {
		never = never || count == repeats && !slices.Contains(got, line)
	}
	if never {
		t.Errorf("(-reference +declarative):\n%s", first)
	}
	return !never
}

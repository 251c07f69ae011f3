package reference_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/yaml"

	"github.com/diffrun/diffrun/backends/reference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/testing/randomschema"
)

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
    subresources: {status: {}, scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {replicas: {type: integer}, mode: {type: string, default: A, maxLength: 3}}}
          status: {type: object, properties: {replicas: {type: integer}, set: {type: array, x-kubernetes-list-type: set, ` +
	`items: {type: string}}}}
        x-kubernetes-validations: [{rule: "!has(self.spec) || !has(self.spec.mode) || self.spec.mode != 'B'", message: not B}]
  - {name: v2, served: true, storage: false}
`

func thing(t testing.TB) *apiextensionsv1.CustomResourceDefinition {
	t.Helper()
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if err := yaml.UnmarshalStrict([]byte(thingCRD), crd); err != nil {
		t.Fatal(err)
	}
	return crd
}

// valid is an object of the kind, without a spec.
func valid() map[string]any {
	return map[string]any{
		"apiVersion": "example.dev/v1", "kind": "Thing",
		"metadata": map[string]any{"name": "a", "namespace": "b", "resourceVersion": "1"},
	}
}

func with(obj map[string]any, name string, value any) map[string]any {
	obj[name] = value
	return obj
}

func short(errs field.ErrorList) []string {
	all := []string{}
	for _, err := range errs {
		all = append(all, strings.TrimPrefix(string(err.Type), "FieldValue")+" "+err.Field)
	}
	return all
}

// TestResource: the stages that only a whole resource has.
func TestResource(t *testing.T) {
	for _, tt := range []struct {
		name, why, subresource string
		object, old            map[string]any
		want                   []string
	}{
		{name: "valid", why: "nothing is wrong", object: valid(), want: []string{}},
		{name: "type", why: "the wrong kind stops the stages of the resource, but not the others",
			object: with(with(valid(), "kind", "Other"), "spec", map[string]any{"mode": "B"}),
			want:   []string{"Invalid <nil>", "Invalid kind"}},
		{name: "metadata", why: "the root's metadata is validated", object: with(valid(), "metadata", map[string]any{"name": "A"}),
			want: []string{"Invalid <nil>", "Invalid metadata.name", "Required metadata.namespace"}},
		{name: "metadata blocks rules", why: "Required is a type that does",
			object: with(with(valid(), "metadata", map[string]any{}), "spec", map[string]any{"mode": "B"}),
			want:   []string{"Invalid <nil>", "Required metadata.name", "Required metadata.namespace"}},
		{name: "scale", why: "the field has a leading dot", object: with(valid(), "spec", map[string]any{"replicas": int64(-1)}),
			want: []string{"Invalid .spec.replicas"}},
		{name: "scale with a float", why: "3.0 is an integer for the schema only",
			object: with(valid(), "spec", map[string]any{"replicas": 3.0}), want: []string{"Invalid .spec.replicas"}},
		{name: "name on update", why: "it cannot change", object: valid(),
			old: with(valid(), "metadata", map[string]any{"name": "c", "namespace": "b"}), want: []string{"Invalid metadata.name"}},
		{name: "unchanged", why: "an error at an unchanged value is dropped", object: with(valid(), "spec", map[string]any{"mode": "long"}),
			old: with(valid(), "spec", map[string]any{"mode": "long"}), want: []string{}},
		{name: "status alone", why: "only the status", subresource: "status",
			object: with(with(valid(), "spec", map[string]any{"mode": "long"}), "status", map[string]any{"replicas": "x"}),
			old:    valid(), want: []string{"Invalid <nil>", "Invalid .status.replicas", "TypeInvalid status.replicas"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v, err := reference.CompileResource(thing(t), "v1", reference.Options{})
			if err != nil {
				t.Fatal(err)
			}
			in := &harness.Input{Object: contract.NewView(tt.object), Request: harness.Request{
				Operation: admissionv1.Create, Subresource: tt.subresource,
				Version: schema.GroupVersionKind{Group: "example.dev", Version: "v1", Kind: "Thing"},
			}}
			if tt.old != nil {
				in.Old, in.Operation = contract.NewView(tt.old), admissionv1.Update
			}
			errs, err := reference.NewBackend(v).Validate(t.Context(), in)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.want, short(errs)); d != "" {
				t.Errorf("%s (-want +got):\n%s%v", tt.why, d, errs.ToAggregate())
			}
		})
	}
}

// TestFaults: if the backend cannot decide, that is not an error of the object.
func TestFaults(t *testing.T) {
	v, err := reference.CompileResource(thing(t), "v1", reference.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for _, tt := range []struct {
		name    string
		ctx     context.Context
		request harness.Request
	}{
		{"scale is not the resource", t.Context(), harness.Request{Operation: admissionv1.Update, Subresource: "scale"}},
		{"status is never created", t.Context(), harness.Request{Operation: admissionv1.Create, Subresource: "status"}},
		{"the context ended", ended, harness.Request{Operation: admissionv1.Create}},
	} {
		in := &harness.Input{Object: contract.NewView(valid()), Request: tt.request}
		if _, err := reference.NewBackend(v).Validate(tt.ctx, in); err == nil {
			t.Errorf("%s: this is no fault", tt.name)
		}
	}
}

// TestSchemaThatCannotBeServed: the error lists everything that is wrong.
func TestSchemaThatCannotBeServed(t *testing.T) {
	for _, tt := range []struct {
		why, schema string
		want        []string
	}{
		{"unknown parts are not left out", `{type: object, properties: {a: {type: string, x-kubernetes-strip-zero: true}}, ` +
			`x-kubernetes-unions: [{}]}`,
			[]string{"properties.a.x-kubernetes-strip-zero", "x-kubernetes-unions"}},
		{"references are not served", `{type: object, properties: {a: {$ref: '#/definitions/a'}}}`, []string{"$ref"}},
		{"all rules that do not compile are named", `{type: object, properties: {a: {type: string, x-kubernetes-validations: ` +
			`[{rule: self > 1}]}}, x-kubernetes-validations: [{rule: self.b, messageExpression: '1'}, {rule: 'true', ` +
			`messageExpression: '1'}]}`,
			[]string{
				"properties[a].x-kubernetes-validations[0].rule",
				"x-kubernetes-validations[0].rule",
				"x-kubernetes-validations[1].messageExpression",
			}},
	} {
		data, err := yaml.YAMLToJSON([]byte(tt.schema))
		if err != nil {
			t.Fatal(err)
		}
		s := &spec.Schema{}
		if err := s.UnmarshalJSON(data); err != nil {
			t.Fatal(err)
		}
		_, err = reference.Compile(s, reference.Options{})
		for _, want := range tt.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: the error does not name %s: %v", tt.why, want, err)
			}
		}
	}
	if _, err := reference.CompileResource(thing(t), "v3", reference.Options{}); err == nil || !strings.Contains(err.Error(), "v1, v2") {
		t.Errorf("an unknown version: the error does not list those that there are: %v", err)
	}
	if _, err := reference.CompileResource(thing(t), "v2", reference.Options{}); err == nil || !strings.Contains(err.Error(), "no schema") {
		t.Errorf("a version without a schema: %v", err)
	}
}

// TestPrepare: objects are pruned and then defaulted, on a copy.
func TestPrepare(t *testing.T) {
	object := func() map[string]any {
		return with(valid(), "spec", map[string]any{"unknown": true, "replicas": nil, "mode": nil})
	}
	for _, tt := range []struct {
		why  string
		opts reference.Options
		want map[string]any
	}{
		{"as it is", reference.Options{}, map[string]any{"unknown": true, "replicas": nil, "mode": nil}},
		{"null without a default goes", reference.Options{Prune: true}, map[string]any{"mode": nil}},
		{"null with a default is defaulted", reference.Options{Default: true},
			map[string]any{"unknown": true, "replicas": nil, "mode": "A"}},
		{"both", reference.Options{Prune: true, Default: true}, map[string]any{"mode": "A"}},
	} {
		v, err := reference.CompileResource(thing(t), "v1", tt.opts)
		if err != nil {
			t.Fatal(err)
		}
		obj := object()
		got, errs := v.Prepare(obj)
		if d := cmp.Diff(with(valid(), "spec", tt.want), got); d != "" || len(errs) > 0 {
			t.Errorf("%s: %v (-want +got):\n%s", tt.why, errs, d)
		}
		if d := cmp.Diff(object(), obj); d != "" {
			t.Errorf("%s: the object was changed:\n%s", tt.why, d)
		}
	}
}

// TestPrepareMetadata: pruning writes metadata as apimachinery does, and rejects metadata that cannot be
// decoded.
func TestPrepareMetadata(t *testing.T) {
	preserving := thing(t)
	preserving.Spec.PreserveUnknownFields = true
	describing := thing(t)
	for name, of := range map[string]string{"kind": "string", "metadata": "object"} {
		describing.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties[name] = apiextensionsv1.JSONSchemaProps{Type: of}
	}
	for _, tt := range []struct {
		why     string
		crd     *apiextensionsv1.CustomResourceDefinition
		object  map[string]any
		want    any // metadata
		unknown []string
		field   string
	}{
		{why: "unknown fields and null go", crd: thing(t),
			object: with(valid(), "metadata", map[string]any{"name": "a", "color": "red", "creationTimestamp": nil}),
			want:   map[string]any{"name": "a"}, unknown: []string{"metadata.color"}},
		{why: "a time is in UTC and has no fraction", crd: thing(t),
			object: with(valid(), "metadata", map[string]any{"name": "a", "creationTimestamp": "2024-01-02T03:04:05.5+02:00"}),
			want:   map[string]any{"name": "a", "creationTimestamp": "2024-01-02T01:04:05Z"}},
		{why: "metadata is pruned where nothing else is", crd: preserving,
			object: with(with(valid(), "metadata", map[string]any{"name": "a", "color": "red"}), "unknown", true),
			want:   map[string]any{"name": "a"}, unknown: []string{"metadata.color"}},
		{why: "null is metadata without a field, though the schema allows no null", crd: describing,
			object: with(valid(), "metadata", nil), want: map[string]any{}},
		{why: "a kind that is null is no text, though null goes", crd: describing, object: with(valid(), "kind", nil), field: "kind"},
		{why: "labels are a map", crd: thing(t), object: with(valid(), "metadata", map[string]any{"labels": "x"}), field: "metadata"},
		{why: "a kind is text", crd: thing(t), object: with(valid(), "kind", int64(1)), field: "kind"},
	} {
		v, err := reference.CompileResource(tt.crd, "v1", reference.Options{Prune: true})
		if err != nil {
			t.Fatal(err)
		}
		got, errs := v.Prepare(tt.object)
		if d := cmp.Diff(tt.want, got["metadata"]); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.why, d)
		}
		if d := cmp.Diff(tt.unknown, v.Unknown(tt.object)); tt.field == "" && d != "" {
			t.Errorf("%s: unknown (-want +got):\n%s", tt.why, d)
		}
		if (tt.field == "") != (len(errs) == 0) || tt.field != "" && errs[0].Field != tt.field {
			t.Errorf("%s: errors %v, want one at %q", tt.why, errs, tt.field)
		}
	}
}

// TestPrepareStored: fields of a stored object's metadata that the API server cannot decode are removed. Its
// type is required.
func TestPrepareStored(t *testing.T) {
	v, err := reference.CompileResource(thing(t), "v1", reference.Options{Prune: true})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		why    string
		object map[string]any
		want   any // metadata
		field  string
	}{
		{why: "only labels that are strings are kept", object: with(valid(), "metadata", map[string]any{"name": "a", "labels": "x"}),
			want: map[string]any{"name": "a"}},
		{why: "null is metadata without a field", object: with(valid(), "metadata", nil), want: map[string]any{}},
		{why: "text is no metadata", object: with(valid(), "metadata", "x"), field: "metadata"},
		{why: "a kind is text", object: with(valid(), "kind", int64(1)), field: "kind"},
	} {
		got, errs := v.PrepareStored(tt.object)
		if d := cmp.Diff(tt.want, got["metadata"]); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.why, d)
		}
		if (tt.field == "") != (len(errs) == 0) || tt.field != "" && errs[0].Field != tt.field {
			t.Errorf("%s: errors %v, want one at %q", tt.why, errs, tt.field)
		}
	}
}

// TestSchemaAloneIsTheStrategy: for objects with correct type and metadata, a schema alone returns the same
// errors as the API server's strategy for the resource.
func TestSchemaAloneIsTheStrategy(t *testing.T) {
	invalid := 0
	for seed := range uint64(80) {
		src := generate.Seeded(seed)
		props := randomschema.Make(src, randomschema.Options{})
		crd := thing(t)
		crd.Spec.Versions[0].Schema.OpenAPIV3Schema, crd.Spec.Versions[0].Subresources = props, nil
		whole, err := reference.CompileResource(crd, "v1", reference.Options{})
		if err != nil {
			t.Fatal(err)
		}
		alone, err := reference.CompileProps(props, reference.Options{Root: true})
		if err != nil {
			t.Fatal(err)
		}
		for range 4 {
			obj := generate.Object(src, props, generate.ObjectOptions{Faults: 8})
			for _, old := range []map[string]any{nil, generate.Vary(src, props, obj, generate.ObjectOptions{Faults: 8})} {
				want, got := short(whole.Validate(t.Context(), obj, old)), short(alone.Validate(t.Context(), obj, old))
				// Which rules fail on data of the wrong type is random in upstream; the paths are not.
				if d := cmp.Diff(want, got); d != "" {
					t.Errorf("seed %d (-resource +schema):\n%s", seed, d)
				}
				if len(want) > 0 {
					invalid++
				}
			}
		}
	}
	if invalid == 0 {
		t.Error("no object is invalid: nothing was compared")
	}
}

// TestOrder: errors are ordered by field, and items by their index, in each run.
func TestOrder(t *testing.T) {
	v, err := reference.CompileProps(&apiextensionsv1.JSONSchemaProps{
		Type:     "object",
		Required: []string{"b"},
		Properties: map[string]apiextensionsv1.JSONSchemaProps{"a": {
			Type: "array", Items: &apiextensionsv1.JSONSchemaPropsOrArray{Schema: &apiextensionsv1.JSONSchemaProps{Type: "string"}},
		}, "c": {Type: "string"}},
	}, reference.Options{})
	if err != nil {
		t.Fatal(err)
	}
	list := make([]any, 11)
	for i := range list {
		list[i] = "x"
	}
	list[10], list[2] = int64(1), int64(1)
	want := []string{"TypeInvalid a[2]", "TypeInvalid a[10]", "Required b", "TypeInvalid c"}
	for range 20 {
		got := short(v.Validate(t.Context(), map[string]any{"a": list, "c": true}, nil))
		if d := cmp.Diff(want, got); d != "" {
			t.Fatalf("(-want +got):\n%s", d)
		}
	}
}

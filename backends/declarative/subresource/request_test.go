package subresource_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	"k8s.io/apiextensions-apiserver/pkg/registry/customresource"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/diffrun/diffrun/backends/declarative/subresource"
)

func document(t testing.TB, text string) map[string]any {
	t.Helper()
	if text == "" {
		return nil
	}
	data, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	object := &unstructured.Unstructured{}
	if err := object.UnmarshalJSON(withKind(t, data)); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return object.Object
}

// withKind adds the fields that all objects of the tables have.
func withKind(t testing.TB, data []byte) []byte {
	t.Helper()
	var fields map[string]any
	if err := yaml.Unmarshal(data, &fields); err != nil {
		t.Fatal(err)
	}
	fields["apiVersion"], fields["kind"] = "example.dev/v1", "Thing"
	with, err := yaml.Marshal(fields)
	if err != nil {
		t.Fatal(err)
	}
	if with, err = yaml.YAMLToJSON(with); err != nil {
		t.Fatal(err)
	}
	return with
}

// requests are objects that clients send, and the fields that are ignored with and without the status
// subresource.
func requests() []struct {
	name, why, object, old string
	ignored, withoutStatus []string
} {
	return []struct {
		name, why, object, old string
		ignored, withoutStatus []string
	}{
		{name: "create", why: "a new object has generation 1 whatever the request has",
			object: `{metadata: {name: a, generation: 7}, spec: {x: 1}}`},
		{name: "create with a status", why: "create cannot set status", object: `{metadata: {name: a}, spec: {x: 1}, status: {w: 1}}`,
			ignored: []string{"status"}},
		{name: "create with a null status", why: "null is something that was set, too", object: `{metadata: {name: a}, status: null}`},
		{name: "create without metadata", why: "the generation needs a place", object: `{spec: {x: 1}}`},
		{name: "no change", why: "the generation stays", object: `{metadata: {name: a, generation: 3}, spec: {x: 1}}`,
			old: `{metadata: {name: a, generation: 3}, spec: {x: 1}}`},
		{name: "spec changes", why: "the generation rises", object: `{metadata: {name: a, generation: 3}, spec: {x: 2}}`,
			old: `{metadata: {name: a, generation: 3}, spec: {x: 1}}`},
		{name: "metadata changes", why: "the generation is not about metadata", object: `{metadata: {name: a, generation: 3, ` +
			`labels: {a: b}}, spec: {x: 1}}`, old: `{metadata: {name: a, generation: 3}, spec: {x: 1}}`},
		{name: "the client sets the generation", why: "it cannot", object: `{metadata: {name: a, generation: 9}, spec: {x: 1}}`,
			old: `{metadata: {name: a, generation: 3}, spec: {x: 1}}`},
		{
			name: "status changes", why: "ignored on the main resource, and then no change", ignored: []string{"status.w"},
			object: `{metadata: {name: a, generation: 3}, spec: {x: 1}, status: {w: 2, z: 1}}`,
			old:    `{metadata: {name: a, generation: 3}, spec: {x: 1}, status: {w: 1, z: 1}}`,
		},
		{
			name: "status and spec change", why: "only the one counts", ignored: []string{"status.w"},
			object: `{metadata: {name: a, generation: 3}, spec: {x: 2}, status: {w: 2}}`,
			old:    `{metadata: {name: a, generation: 3}, spec: {x: 1}, status: {w: 1}}`,
		},
		{
			name: "status is left out", why: "the old one stays", ignored: []string{"status"},
			object: `{metadata: {name: a, generation: 3}, spec: {x: 1}}`,
			old:    `{metadata: {name: a, generation: 3}, spec: {x: 1}, status: {w: 1}}`,
		},
		{
			name: "a first status", why: "it is not set here", ignored: []string{"status"},
			object: `{metadata: {name: a, generation: 3}, spec: {x: 1}, status: {w: 1}}`,
			old:    `{metadata: {name: a, generation: 3}, spec: {x: 1}}`,
		},
		{
			name: "a different field changes", why: "generation is about all but metadata and status",
			object: `{metadata: {name: a, generation: 3}, data: {x: 2}}`, old: `{metadata: {name: a, generation: 3}, data: {x: 1}}`,
		},
		{
			name: "the old object has no generation", why: "it is counted from zero",
			object: `{metadata: {name: a}, spec: {x: 2}}`, old: `{metadata: {name: a}, spec: {x: 1}}`,
		},
		{name: "metadata that is no object", why: "it is left to validation", object: `{metadata: 5, spec: {x: 1}}`},
		{
			name: "no generation and no change", why: "none is set",
			object: `{metadata: {name: a}, spec: {x: 1}}`, old: `{metadata: {name: a}, spec: {x: 1}}`,
		},
	}
}

// TestMainResource compares requests to the resource itself with the API server.
func TestMainResource(t *testing.T) {
	for _, status := range []bool{true, false} {
		for _, tt := range requests() {
			t.Run(tt.name, func(t *testing.T) {
				object, old := document(t, tt.object), document(t, tt.old)
				before := []any{runtime.DeepCopyJSON(object), runtime.DeepCopyJSON(old)}
				var declared *apiextensions.CustomResourceSubresourceStatus
				ignored := tt.withoutStatus
				if status {
					declared, ignored = &apiextensions.CustomResourceSubresourceStatus{}, tt.ignored
				}
				strategy := customresource.NewStrategy(nil, true, schema.GroupVersionKind{}, nil, nil, nil, declared, nil, nil)
				want := &unstructured.Unstructured{Object: runtime.DeepCopyJSON(object)}
				of := subresource.Subresources{Status: status}
				var got subresource.Request
				if old == nil {
					strategy.PrepareForCreate(t.Context(), want)
					got = of.Create(object)
				} else {
					stored := &unstructured.Unstructured{Object: runtime.DeepCopyJSON(old)}
					want.SetGeneration(stored.GetGeneration()) // rest.BeforeUpdate does
					strategy.PrepareForUpdate(t.Context(), want, stored)
					got = of.Update(object, old)
				}
				check(t, tt.why, got, want.Object, ignored, before, []any{object, old})
			})
		}
	}
}

func check(t *testing.T, why string, got subresource.Request, want map[string]any, ignored []string, before, after []any) {
	t.Helper()
	if diff := cmp.Diff(want, got.Object); diff != "" {
		t.Errorf("%s (-upstream +got):\n%s", why, diff)
	}
	if diff := cmp.Diff(ignored, got.Ignored); diff != "" {
		t.Errorf("%s: ignored (-want +got):\n%s", why, diff)
	}
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("the objects of the request were changed:\n%s", diff)
	}
}

// TestUpdateStatus compares requests to the status with the API server.
func TestUpdateStatus(t *testing.T) {
	for _, tt := range []struct {
		name, why, object, old string
		ignored                []string
	}{
		{
			name: "status changes", why: "and nothing else, the generation neither",
			object: `{metadata: {name: a, generation: 3, resourceVersion: "2"}, spec: {x: 1}, status: {w: 2}}`,
			old:    `{metadata: {name: a, generation: 3, resourceVersion: "1"}, spec: {x: 1}, status: {w: 1}}`,
		},
		{
			name: "all changes", why: "a field outside of the status is ignored",
			object:  `{metadata: {name: a, labels: {a: b}}, spec: {x: 2, l: [1]}, data: 1, status: {w: 2}}`,
			old:     `{metadata: {name: a, generation: 3}, spec: {x: 1, l: [2]}, status: {w: 1}}`,
			ignored: []string{"data", "metadata.generation", "metadata.labels", "spec.l", "spec.x"},
		},
		{name: "no status", why: "it is taken away", object: `{metadata: {name: a}, spec: {x: 1}}`,
			old: `{metadata: {name: a}, spec: {x: 1}, status: {w: 1}}`},
		{name: "status only", why: "a client need not know the rest", object: `{metadata: {name: a}, status: {w: 1}}`,
			old: `{metadata: {name: a}, spec: {x: 1}}`, ignored: []string{"spec"}},
		{
			name: "managed fields", why: "they record who wrote the status",
			object: `{metadata: {name: a, managedFields: [{manager: m}]}, status: {w: 1}}`,
			old:    `{metadata: {name: a, managedFields: [{manager: n}, {manager: o}]}}`,
		},
		{name: "no metadata", why: "none is made", object: `{status: {w: 1}}`, old: `{spec: {x: 1}}`, ignored: []string{"spec"}},
		{
			name: "no metadata before", why: "managed fields need a place", object: `{metadata: {name: a, managedFields: [{manager: ` +
				`m}]}, status: {w: 1}}`, old: `{spec: {x: 1}}`,
			ignored: []string{"metadata.name", "spec"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			object, old := document(t, tt.object), document(t, tt.old)
			before := []any{runtime.DeepCopyJSON(object), runtime.DeepCopyJSON(old)}
			main := customresource.NewStrategy(nil, true, schema.GroupVersionKind{}, nil, nil, nil,
				&apiextensions.CustomResourceSubresourceStatus{}, nil, nil)
			want := &unstructured.Unstructured{Object: runtime.DeepCopyJSON(object)}
			customresource.NewStatusStrategy(main).PrepareForUpdate(t.Context(), want,
				&unstructured.Unstructured{Object: runtime.DeepCopyJSON(old)})
			check(t, tt.why, subresource.UpdateStatus(object, old), want.Object, tt.ignored, before, []any{object, old})
		})
	}
}

package apiresource_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/declarative/apiresource"
	"github.com/diffrun/diffrun/backends/serving"
	"github.com/diffrun/diffrun/harness"
)

const clusterCRD = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: things.example.dev}
spec:
  group: example.dev
  names: {plural: things, kind: Thing}
  scope: Cluster
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: {type: object, properties: {size: {type: integer, default: 1, minimum: 0}}}
          status: {type: object, properties: {phase: {type: string, maxLength: 2}}}
`

// TestOnePreparation: a request is prepared in the same way for the harness, whose Scheme passes it to both
// sides, and for a world, whose Request prepares it itself.
func TestOnePreparation(t *testing.T) {
	definition, err := apiresource.ReadDefinition([]byte(clusterCRD))
	if err != nil {
		t.Fatal(err)
	}
	scheme := serving.Scheme{Resource: definition}
	version := schema.GroupVersionKind{Group: "example.dev", Version: "v1", Kind: "Thing"}
	thing := func(metadata map[string]any, status string) map[string]any {
		metadata["name"] = "a"
		return map[string]any{
			"apiVersion": "example.dev/v1",
			"kind":       "Thing",
			"metadata":   metadata,
			"spec":       map[string]any{},
			"status":     map[string]any{"phase": status},
		}
	}
	for _, tt := range []struct {
		why         string
		subresource string
		object, old map[string]any
		metadata    map[string]any // nil: not compared
		errs        int
	}{
		{
			why: "a create drops the status and the namespace, and resets system fields",
			object: thing(map[string]any{
				"namespace":                  "shop",
				"generation":                 int64(-1),
				"deletionGracePeriodSeconds": int64(-1),
				"uid":                        "mine",
			}, "long"),
			metadata: map[string]any{
				"name": "a", "generation": int64(1), "uid": "11111111-1111-4111-8111-111111111111",
				"creationTimestamp": "1970-01-01T00:00:00Z",
			},
		},
		{
			why:    "an update keeps the status and the stored metadata",
			object: thing(map[string]any{"namespace": "shop", "generation": int64(-1)}, "long"),
			old:    thing(map[string]any{"namespace": "shop", "uid": "b"}, "ok"),
			metadata: map[string]any{
				"name": "a", "generation": int64(1), "uid": "b", "creationTimestamp": "1970-01-01T00:00:00Z", "resourceVersion": "1",
			},
		},
		{
			why: "an update of the status sets nothing else", subresource: "status",
			object: thing(map[string]any{"namespace": "shop", "labels": map[string]any{"a": "?"}}, "long"),
			old:    thing(map[string]any{}, "ok"),
			errs:   1,
		},
	} {
		t.Run(tt.why, func(t *testing.T) {
			request := harness.Request{Version: version, Operation: admissionv1.Create, Subresource: tt.subresource}
			var old any
			if tt.old != nil {
				request.Operation, old = admissionv1.Update, tt.old
			}
			hub, _, err := scheme.Default(t.Context(), request, tt.object, old)
			if err != nil {
				t.Fatal(err)
			}
			inHarness, err := scheme.Convert(hub, version)
			if err != nil {
				t.Fatal(err)
			}
			received, errs, err := definition.Receive(request, tt.object, tt.old)
			if err != nil || len(errs) > 0 {
				t.Fatal(errs, err)
			}
			_, in, errs, err := received.(*apiresource.Request).Validated()
			if err != nil || len(errs) > 0 {
				t.Fatal(errs, err)
			}
			inWorld, err := in.Object.Unstructured()
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(inHarness, any(inWorld)); diff != "" {
				t.Errorf("-harness +world:\n%s", diff)
			}
			if diff := cmp.Diff(tt.metadata, inWorld["metadata"]); tt.metadata != nil && diff != "" {
				t.Errorf("metadata (-want +got):\n%s", diff)
			}
			if errs, err := received.Validate(t.Context()); err != nil || len(errs) != tt.errs {
				t.Errorf("errors %v (%v), want %d", errs, err, tt.errs)
			}
		})
	}
}

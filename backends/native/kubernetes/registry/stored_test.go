package registry_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	kjson "sigs.k8s.io/json"

	"github.com/diffrun/diffrun/backends/native/kubernetes/registry"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
)

// recording is a declarative backend that accepts everything and records the documents that it was asked about.
type recording struct{ asked *[]map[string]any }

func (recording) Name() string { return contract.DeclarativeName }

func (r recording) Validate(_ context.Context, in *harness.Input) (field.ErrorList, error) {
	object, old, err := contract.Read(in, (*contract.View).Unstructured)
	*r.asked = append(*r.asked, map[string]any{"request": in.Stored, "subresource": in.Subresource, "object": object, "old": old})
	return nil, err
}

// fromDocuments is a Scheme whose requests on stored objects are decoded from changed documents.
type fromDocuments struct{ harness.Scheme }

func (f fromDocuments) Capabilities() contract.SchemeCapabilities {
	can := f.Scheme.(contract.CapableScheme).Capabilities()
	can.Defaulted = nil
	return can
}

// TestStoredRequests: a request on a stored object changes its Go type, and the result is that of the changed
// document.
func TestStoredRequests(t *testing.T) {
	const spec = `"spec":{"selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},"spec":{` +
		`"containers":[{"name":"web","image":"web:1","resources":{"requests":{"cpu":"100m"}}}]}}}`
	deployment := func(metadata string) string {
		return `{"apiVersion":"apps/v1","kind":"Deployment","metadata":` + metadata + `,` + spec + `}`
	}
	for _, tt := range []struct {
		why, object string
		kind        schema.GroupVersionKind
	}{
		{why: "usual metadata", object: deployment(`{"name":"a","namespace":"b","labels":{"x":"y"},"annotations":{"x":"y"}}`)},
		{why: "no labels", object: deployment(`{"name":"a","namespace":"b"}`)},
		{why: "empty labels and finalizers", object: deployment(`{"name":"a","namespace":"b","labels":{},"finalizers":[]}`)},
		{why: "null in labels", object: deployment(`{"name":"a","namespace":"b","labels":{"x":null,"y":"z"}}`)},
		{why: "null for labels and finalizers", object: deployment(`{"name":"a","namespace":"b","labels":null,"finalizers":null}`)},
		{why: "finalizers", object: deployment(`{"name":"a","namespace":"b","finalizers":["example.com/a"]}`)},
		{why: "null in finalizers", object: deployment(`{"name":"a","namespace":"b","finalizers":[null]}`)},
		{why: "an object that is being deleted",
			object: deployment(`{"name":"a","namespace":"b","uid":"u","resourceVersion":"7","generation":3,` +
				`"creationTimestamp":"2026-01-01T00:00:00Z","deletionTimestamp":"2026-01-02T00:00:00+01:00",` +
				`"deletionGracePeriodSeconds":30,"finalizers":["example.com/a"]}`)},
		{why: "a generated name", object: deployment(`{"generateName":"a-","namespace":"b"}`)},
		{why: "null for the name", object: deployment(`{"name":null,"generateName":"a-","namespace":"b"}`)},
		{
			why: "labels that a default sets", kind: schema.GroupVersionKind{Version: "v1", Kind: "ReplicationController"},
			object: `{"apiVersion":"v1","kind":"ReplicationController","metadata":{"name":"a","namespace":"b"},"spec":{"template":{` +
				`"metadata":{"labels":{"app":"web"}},"spec":{"containers":[{"name":"web","image":"web:1"}]}}}}`,
		},
	} {
		version := tt.kind
		if version.Empty() {
			version = schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}
		}
		for _, unmarshal := range []func([]byte, any) error{json.Unmarshal, kjson.UnmarshalCaseSensitivePreserveInts} {
			var document map[string]any
			if err := unmarshal([]byte(tt.object), &document); err != nil {
				t.Fatal(err)
			}
			checkStoredRequests(t, tt.why, version, document)
		}
	}
}

// checkStoredRequests compares the inputs of the declarative backend in requests on a stored object.
func checkStoredRequests(t *testing.T, why string, version schema.GroupVersionKind, document map[string]any) {
	t.Helper()
	var asked [2][]map[string]any
	for i, wrap := range []func(harness.Scheme) harness.Scheme{
		func(s harness.Scheme) harness.Scheme { return s },
		func(s harness.Scheme) harness.Scheme { return fromDocuments{s} },
	} {
		target, err := registry.NewTarget(version.GroupKind(), func(schema.GroupVersionKind) (harness.Backend, error) {
			return recording{&asked[i]}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		target.Scheme = wrap(target.Scheme)
		h, err := harness.New(target, harness.Options{Stored: true})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := h.Check(t.Context(), harness.Case{ID: "a", Object: document}); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(asked[1], asked[0]); diff != "" || len(asked[0]) < 2 {
		t.Errorf("%s: %d requests; -of the document +of the Go type\n%s", why, len(asked[0]), diff)
	}
}

package harness_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
)

// server is a backend that defaults objects itself, and records its inputs.
type server struct {
	sent bool
	got  map[schema.GroupVersionKind]map[string]any
}

func (*server) Name() string { return "native" }

func (s *server) Capabilities() contract.Capabilities {
	return contract.Capabilities{RawDocuments: s.sent}
}

func (s *server) Validate(_ context.Context, in *harness.Input) (field.ErrorList, error) {
	document, err := in.Object.Unstructured()
	s.got[in.Version] = document
	return nil, err
}

// filling is a scheme of two versions that fills in a color.
type filling struct{ harness.Documents }

func (filling) Default(_ context.Context, _ harness.Request, object, old any) (any, any, error) {
	document := object.(map[string]any)
	return map[string]any{"apiVersion": document["apiVersion"], "kind": "Widget", "size": document["size"], "color": "red"}, old, nil
}

func (filling) Convert(object any, version schema.GroupVersionKind) (any, error) {
	document := object.(map[string]any)
	return map[string]any{
		"apiVersion": version.GroupVersion().String(),
		"kind":       "Widget",
		"size":       document["size"],
		"color":      document["color"],
	}, nil
}

// TestRawDocuments: a backend that defaults objects itself gets the document of the case, if the case is
// written in the compared version.
func TestRawDocuments(t *testing.T) {
	sent := map[string]any{"apiVersion": "example.com/v1", "kind": "Widget", "size": int64(3)}
	defaulted := map[string]any{"apiVersion": "example.com/v1", "kind": "Widget", "size": int64(3), "color": "red"}
	converted := map[string]any{"apiVersion": "example.com/v1beta1", "kind": "Widget", "size": int64(3), "color": "red"}
	for _, tt := range []struct {
		why string
		raw bool
		v1  map[string]any
	}{
		{"a validator sees the object that the API server passes to validators", false, defaulted},
		{"an API server sees the object that clients send", true, sent},
	} {
		t.Run(tt.why, func(t *testing.T) {
			native := &server{tt.raw, map[schema.GroupVersionKind]map[string]any{}}
			schemas := &server{false, map[schema.GroupVersionKind]map[string]any{}}
			h, err := harness.New(&harness.Target{Kind: widgetV1.GroupKind(), Scheme: filling{}, Versions: []harness.Version{
				{GroupVersionKind: widgetV1, Native: native, Declarative: schemas},
				{GroupVersionKind: widgetV1beta1, Native: native, Declarative: schemas},
			}}, harness.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if _, err := h.Check(t.Context(),
				harness.Case{Object: map[string]any{"apiVersion": "example.com/v1", "kind": "Widget", "size": 3.0}}); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(map[schema.GroupVersionKind]map[string]any{widgetV1: tt.v1, widgetV1beta1: converted},
				native.got); diff != "" {
				t.Errorf("native: -want +got:\n%s", diff)
			}
			if diff := cmp.Diff(map[schema.GroupVersionKind]map[string]any{widgetV1: defaulted, widgetV1beta1: converted},
				schemas.got); diff != "" {
				t.Errorf("declarative: -want +got:\n%s", diff)
			}
		})
	}
}

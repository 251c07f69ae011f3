// Package schema compares a Go function with an OpenAPI v3 schema that is neither that of
// a CustomResourceDefinition nor one of Kubernetes' own: the API of an aggregated API
// server, for instance.
package schema

import (
	"context"
	"encoding/json"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/backends/native"
	"github.com/diffrun/diffrun/harness"
)

// Widget is a type of the API.
type Widget struct {
	Size int `json:"size"`
}

func validate(_ context.Context, widget, _ *Widget) field.ErrorList {
	if widget.Size < 0 {
		return field.ErrorList{field.Invalid(field.NewPath("size"), widget.Size, "must be greater than or equal to 0")}
	}
	return nil
}

func TestWidget(t *testing.T) {
	var openAPI spec.Schema
	if err := json.Unmarshal([]byte(`{"type": "object", "properties": {"size": {"type": "integer", "minimum": 0}}}`),
		&openAPI); err != nil {
		t.Fatal(err)
	}
	validator, err := declarative.Compile(&openAPI, declarative.Options{Root: true})
	if err != nil {
		t.Fatal(err)
	}
	both := harness.For(t, &harness.Target{
		Scheme: harness.Documents{},
		Versions: []harness.Version{{
			GroupVersionKind: schema.GroupVersionKind{Group: "widgets.example.com", Version: "v1", Kind: "Widget"},
			Native:           native.Func[*Widget](validate),
			Declarative:      declarative.Backend{Validator: validator},
		}},
	})
	for _, size := range []int64{-1, 0, 1} {
		errs := both.Test(t, harness.Case{Object: map[string]any{"apiVersion": "widgets.example.com/v1", "kind": "Widget", "size": size}})
		if want := size < 0; want != (len(errs) > 0) {
			t.Errorf("size %d: %v", size, errs)
		}
	}
}

package controllerruntime_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/controller-runtime/pkg/conversion"

	"github.com/diffrun/diffrun/backends/declarative/customresource"
	"github.com/diffrun/diffrun/backends/native"
	"github.com/diffrun/diffrun/backends/native/controllerruntime"
	"github.com/diffrun/diffrun/harness"
)

// Gadget is the hub of GadgetBeta.
type Gadget struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Width             int `json:"width"`
}

func (*Gadget) Hub() {}

func (g *Gadget) DeepCopyObject() runtime.Object { c := *g; return &c }

// GadgetBeta is the kind Gadget in v1beta1.
type GadgetBeta struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Size              int `json:"size"`
}

func (g *GadgetBeta) ConvertTo(hub conversion.Hub) error {
	hub.(*Gadget).ObjectMeta, hub.(*Gadget).Width = g.ObjectMeta, g.Size
	return nil
}

func (g *GadgetBeta) ConvertFrom(hub conversion.Hub) error {
	g.ObjectMeta, g.Size = hub.(*Gadget).ObjectMeta, hub.(*Gadget).Width
	return nil
}

func (g *GadgetBeta) DeepCopyObject() runtime.Object { c := *g; return &c }

func gadgets() *runtime.Scheme {
	scheme := runtime.NewScheme()
	for version, object := range map[string]runtime.Object{"v1": &Gadget{}, "v1beta1": &GadgetBeta{}} {
		scheme.AddKnownTypeWithName(schema.GroupVersionKind{Group: "example.com", Version: version, Kind: "Gadget"}, object)
	}
	return scheme
}

const gadgetDefinition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gadgets.example.com}
spec:
  group: example.com
  names: {kind: Gadget, plural: gadgets}
  scope: Namespaced
  conversion: {strategy: Webhook, webhook: {conversionReviewVersions: [v1], clientConfig: {url: "https://127.0.0.1:1/convert"}}}
  versions:
  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {width: {type: integer, maximum: 12}}}}}
  - {name: v1beta1, served: true, storage: false, schema: {openAPIV3Schema: {type: object, properties: {size: {type: integer}}}}}
`

// The versions of a definition are compared with the conversion of the project.
func ExampleNewConverter() {
	accepts := native.Func[*unstructured.Unstructured](
		func(context.Context, *unstructured.Unstructured, *unstructured.Unstructured) field.ErrorList {
			return nil
		})
	target, err := customresource.NewTarget([]byte(gadgetDefinition), accepts)
	if err == nil {
		target, err = customresource.Converting(target, controllerruntime.NewConverter(gadgets()))
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	both, err := harness.New(target, harness.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	gadget := map[string]any{
		"apiVersion": "example.com/v1beta1",
		"kind":       "Gadget",
		"metadata":   map[string]any{"name": "a", "namespace": "b"},
		"size":       int64(13),
	}
	results, err := both.Check(context.Background(), harness.Case{Object: gadget})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, result := range results {
		fmt.Println(result.Version.Version, result.Fault, result.Inexpressible, result.Declarative.Errors.ToAggregate())
	}
	// Output:
	// v1 <nil>  width: Invalid value: 13: width in body should be less than or equal to 12
	// v1beta1 <nil>  <nil>
}

func TestConverter(t *testing.T) {
	converter := controllerruntime.NewConverter(gadgets())
	beta := map[string]any{"apiVersion": "example.com/v1beta1", "kind": "Gadget", "metadata": map[string]any{"name": "a"},
		"size": int64(13)}
	got, err := converter.Convert(beta, "v1")
	if err != nil || got["width"] != int64(13) || got["apiVersion"] != "example.com/v1" {
		t.Errorf("%v, %v", got, err)
	}
	for _, row := range []struct {
		why, kind, version, want string
	}{
		{"a different kind", "Widget", "v1", "the scheme has no Widget.example.com"},
		{"a different version", "Gadget", "v2", `there is no version "v2"; there are v1, v1beta1`},
	} {
		beta["kind"] = row.kind
		if _, err := converter.Convert(beta, row.version); err == nil || !strings.Contains(err.Error(), row.want) {
			t.Errorf("%s: %v, want %s", row.why, err, row.want)
		}
	}
}

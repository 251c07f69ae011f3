package strategy_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/conversion"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apiserver/pkg/endpoints/request"
	"k8s.io/apiserver/pkg/registry/rest"
	"k8s.io/apiserver/pkg/storage/names"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/backends/native"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/metrics"
	"github.com/diffrun/diffrun/shadow"
	"github.com/diffrun/diffrun/shadow/strategy"
)

const group = "widgets.example.dev"

// Widget is the internal type of an aggregated API, WidgetV1 that of its version v1.
type Widget struct {
	metav1.TypeMeta
	metav1.ObjectMeta
	Capacity int64
}

type WidgetV1 struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata,omitempty"`
	Size              *int64 `json:"size,omitempty"`
}

func (w *Widget) DeepCopyObject() runtime.Object   { same := *w; return &same }
func (w *WidgetV1) DeepCopyObject() runtime.Object { same := *w; return &same }

// newScheme knows both types, converts between them, and sets the size to 1 by default.
func newScheme(t *testing.T) *runtime.Scheme {
	t.Helper()
	scheme := runtime.NewScheme()
	scheme.AddKnownTypeWithName(schema.GroupVersionKind{Group: group, Version: runtime.APIVersionInternal, Kind: "Widget"}, &Widget{})
	scheme.AddKnownTypeWithName(schema.GroupVersionKind{Group: group, Version: "v1", Kind: "Widget"}, &WidgetV1{})
	scheme.AddTypeDefaultingFunc(&WidgetV1{}, func(object any) {
		if w := object.(*WidgetV1); w.Size == nil {
			w.Size = new(int64(1))
		}
	})
	for _, err := range []error{
		scheme.AddConversionFunc((*Widget)(nil), (*WidgetV1)(nil), func(from, to any, _ conversion.Scope) error {
			in := from.(*Widget)
			*to.(*WidgetV1) = WidgetV1{ObjectMeta: in.ObjectMeta, Size: &in.Capacity}
			return nil
		}),
		scheme.AddConversionFunc((*WidgetV1)(nil), (*Widget)(nil), func(from, to any, _ conversion.Scope) error {
			in := from.(*WidgetV1)
			*to.(*Widget) = Widget{ObjectMeta: in.ObjectMeta, Capacity: *in.Size}
			return nil
		}),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	return scheme
}

func validateWidget(w *Widget) field.ErrorList {
	if w.Capacity < 0 {
		return field.ErrorList{field.Invalid(field.NewPath("size"), w.Capacity, "must be greater than or equal to 0")}
	}
	return nil
}

// widgets is a strategy like those of registries.
type widgets struct {
	runtime.ObjectTyper
	names.NameGenerator
}

func (widgets) NamespaceScoped() bool                                          { return true }
func (widgets) AllowCreateOnUpdate(context.Context) bool                       { return false }
func (widgets) AllowUnconditionalUpdate(context.Context) bool                  { return true }
func (widgets) Canonicalize(runtime.Object)                                    {}
func (widgets) PrepareForCreate(context.Context, runtime.Object)               {}
func (widgets) PrepareForUpdate(_ context.Context, object, old runtime.Object) {}
func (widgets) WarningsOnCreate(context.Context, runtime.Object) []string      { return nil }
func (widgets) WarningsOnUpdate(_ context.Context, object, old runtime.Object) []string {
	return nil
}
func (widgets) Validate(_ context.Context, object runtime.Object) field.ErrorList {
	return validateWidget(object.(*Widget))
}
func (widgets) ValidateUpdate(_ context.Context, object, old runtime.Object) field.ErrorList {
	return validateWidget(object.(*Widget))
}

// target has a schema that rejects sizes over 9, and growth by more than 3.
func target(t *testing.T, scheme *runtime.Scheme) *harness.Target {
	t.Helper()
	var declared spec.Schema
	if err := json.Unmarshal([]byte(`{"type": "object", "properties": {
		"metadata": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
		"size": {"type": "integer", "minimum": 0, "maximum": 9,
			"x-kubernetes-validations": [{"rule": "self <= oldSelf + 3", "message": "grows too fast"}]}
	}}`), &declared); err != nil {
		t.Fatal(err)
	}
	validator, err := declarative.Compile(&declared, declarative.Options{Root: true})
	if err != nil {
		t.Fatal(err)
	}
	v1 := schema.GroupVersionKind{Group: group, Version: "v1", Kind: "Widget"}
	return &harness.Target{
		Kind:   v1.GroupKind(),
		Scheme: strategy.NewScheme(scheme),
		Versions: []harness.Version{{GroupVersionKind: v1, Native: shadow.Native{},
			Declarative: declarative.Backend{Validator: validator}}},
	}
}

func requested(subresource string) context.Context {
	ctx := request.WithNamespace(context.Background(), "n")
	return request.WithRequestInfo(ctx, &request.RequestInfo{
		IsResourceRequest: true,
		APIGroup:          group,
		APIVersion:        "v1",
		Resource:          "widgets",
		Subresource:       subresource,
	})
}

func widget(capacity int64) *Widget {
	return &Widget{
		ObjectMeta: metav1.ObjectMeta{Name: "w", Namespace: "n", UID: "u", ResourceVersion: "1", CreationTimestamp: metav1.Now()},
		Capacity:   capacity,
	}
}

// TestRegistry: the functions of the registry call the strategies with a Shadow around them.
func TestRegistry(t *testing.T) {
	scheme := newScheme(t)
	bare := widgets{scheme, names.SimpleNameGenerator}
	for _, row := range []struct {
		why      string
		options  shadow.Options
		old, new *Widget
		want     []string
		verdict  words.Verdict
	}{
		{"both accept", shadow.Options{}, nil, widget(5), nil, words.Equal},
		{"both refuse", shadow.Options{}, nil, widget(-1), []string{"size: Invalid value: -1: must be greater than or equal to 0"},
			words.Equivalent},
		{"only the schema rejects a create", shadow.Options{}, nil, widget(10), nil, words.Different},
		{"... an update, by a rule that sees the old object", shadow.Options{}, widget(1), widget(5), nil, words.Different},
		{"... and decides", shadow.Options{Enforce: true}, widget(1), widget(5), []string{"size: Invalid value: 5: grows too fast"},
			words.Equal},
	} {
		t.Run(row.why, func(t *testing.T) {
			m := metrics.New()
			row.options.Metrics, row.options.Logger = m, slog.New(slog.DiscardHandler)
			s, err := shadow.New(target(t, scheme), row.options)
			if err != nil {
				t.Fatal(err)
			}
			if row.old == nil {
				err = rest.BeforeCreate(strategy.Create(s, bare), requested(""), row.new)
			} else {
				err = rest.BeforeUpdate(strategy.Update(s, bare), requested(""), row.new, row.old)
			}
			var said []string
			if status, refused := err.(apierrors.APIStatus); refused {
				for _, cause := range status.Status().Details.Causes {
					said = append(said, cause.Field+": "+cause.Message)
				}
			}
			if diff := cmp.Diff(row.want, said); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			if got := counted(t, m); got != string(row.verdict) {
				t.Errorf("counted as %q; wanted %q", got, row.verdict)
			}
		})
	}
}

// counted returns the verdict of the one request that was counted.
func counted(t *testing.T, m *metrics.Metrics) string {
	t.Helper()
	families, err := m.Gatherer().Gather()
	if err != nil {
		t.Fatal(err)
	}
	verdict := ""
	for _, family := range families {
		for _, sample := range family.GetMetric() {
			for _, label := range sample.GetLabel() {
				if family.GetName() == "apiserver_declarative_validation_cases_total" && label.GetName() == "verdict" &&
					sample.GetCounter().GetValue() > 0 {
					verdict += label.GetValue()
				}
			}
		}
	}
	return verdict
}

// TestInATest: the same target compares documents and typed objects in go test.
func TestInATest(t *testing.T) {
	served := target(t, newScheme(t))
	served.Versions[0].Native = native.Func[*WidgetV1](func(_ context.Context, w, _ *WidgetV1) field.ErrorList {
		return validateWidget(&Widget{Capacity: *w.Size})
	})
	h, err := harness.New(served, harness.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range []struct {
		why    string
		object any
		want   words.Verdict
	}{
		{"a document gets the default of the scheme", map[string]any{"apiVersion": group + "/v1", "kind": "Widget"}, words.Equal},
		{"a document that the schema refuses", map[string]any{"apiVersion": group + "/v1", "kind": "Widget", "size": int64(10)},
			words.Different},
		{"the internal type", widget(10), words.Different},
		{"a field that the version does not have", map[string]any{"apiVersion": group + "/v1", "kind": "Widget", "width": int64(1)},
			words.Faulted},
	} {
		results, err := h.Check(t.Context(), harness.Case{Object: row.object})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(row.want, results[0].Verdict); diff != "" {
			t.Errorf("%s: -want +got:\n%s%v", row.why, diff, results[0].Fault)
		}
	}
}

package native_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/native"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
)

type size struct {
	Spec struct {
		Width int64 `json:"width"`
	} `json:"spec"`
}

var sizeV1 = schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Size"}

// asks validates an object as a case of a kind with the same hand-written function on both sides.
func asks(t *testing.T, backend harness.Backend, object, old any) harness.Result {
	t.Helper()
	h, err := harness.New(&harness.Target{
		Kind: sizeV1.GroupKind(), Scheme: harness.Documents{},
		Versions: []harness.Version{{GroupVersionKind: sizeV1, Native: backend, Declarative: backend}},
	}, harness.Options{})
	if err != nil {
		t.Fatal(err)
	}
	results, err := h.Check(t.Context(), harness.Case{Object: object, Old: old})
	if err != nil {
		t.Fatal(err)
	}
	return results[0]
}

func document(spec map[string]any) map[string]any {
	return map[string]any{"apiVersion": "example.com/v1", "kind": "Size", "spec": spec}
}

func TestFunc(t *testing.T) {
	typed := native.Func[*size](func(_ context.Context, object, old *size) field.ErrorList {
		if old != nil && object.Spec.Width < old.Spec.Width {
			return field.ErrorList{field.Forbidden(field.NewPath("spec", "width"), "must not shrink")}
		}
		if object.Spec.Width < 1 {
			return field.ErrorList{field.Required(field.NewPath("spec", "width"), "")}
		}
		object.Spec.Width = -1 // a validator may modify its arguments
		return nil
	})
	untyped := native.Func[map[string]any](func(_ context.Context, object, old map[string]any) field.ErrorList {
		object["spec"] = nil
		return nil
	})
	for _, tc := range []struct {
		why         string
		backend     harness.Backend
		object, old any
		want        string // of the first error
		fault       string
	}{
		{why: "a document is decoded into the validator's type", backend: typed, object: document(map[string]any{"width": int64(0)}),
			want: "spec.width: Required value"},
		{why: "an object of the type itself is passed on unchanged", backend: typed, object: &size{}, want: "spec.width: Required value"},
		{
			why: "an update has both", backend: typed, object: document(map[string]any{"width": int64(1)}),
			old:  document(map[string]any{"width": int64(2)}),
			want: "spec.width: Forbidden: must not shrink",
		},
		{why: "a validator may modify its copy", backend: typed, object: document(map[string]any{"width": int64(3)})},
		{why: "a validator of documents gets its own copy, too", backend: untyped, object: document(map[string]any{"width": int64(3)})},
		{
			why: "a misspelt field tests nothing", backend: typed, object: document(map[string]any{"width": int64(1), "widht": int64(2)}),
			fault: `decoding into *native_test.size: unknown field "spec.widht"`,
		},
		{
			why: "a document that does not fit the type", backend: typed, object: document(map[string]any{"width": "wide"}),
			fault: "decoding into *native_test.size: ",
		},
	} {
		t.Run(tc.why, func(t *testing.T) {
			result := asks(t, tc.backend, tc.object, tc.old)
			var got, fault string
			if errs := result.Native.Errors; len(errs) > 0 {
				got = errs[0].Error()
			}
			if result.Native.Fault != nil {
				fault = result.Native.Fault.Error()
			}
			if got != tc.want {
				t.Errorf("got %q, want %q", got, tc.want)
			}
			if !strings.HasPrefix(fault, tc.fault) || (fault == "") != (tc.fault == "") {
				t.Errorf("fault %q, want %q", fault, tc.fault)
			}
			if tc.fault == "" && result.Verdict != words.Equal {
				t.Errorf("verdict %s: the second call saw what the first one wrote\n%s", result.Verdict,
					cmp.Diff(result.Native.Errors, result.Declarative.Errors))
			}
		})
	}
}

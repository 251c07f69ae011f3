package recorder

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/diffrun/diffrun/internal/gomodule/capture/recorder/testdata/knative.dev/pkg/apis"
)

// TestAdapters: results that are not field errors are read as the errors that a webhook would answer with.
func TestAdapters(t *testing.T) {
	missing := &apis.FieldError{Message: "missing field(s)", Paths: []string{"spec.a", "spec.b"}}
	cause := metav1.StatusCause{Type: metav1.CauseTypeFieldValueRequired, Message: "is missing", Field: "spec.name"}
	status := json.RawMessage(`{"details":{"causes":[{"reason":"FieldValueRequired","message":"is missing","field":"spec.name"}]}}`)
	for _, tt := range []struct {
		why    string
		result any
		want   []Error
	}{
		{"causes", []metav1.StatusCause{cause}, []Error{{Status: status}}},
		{"a pointer to a cause", &cause, []Error{{Status: status}}},
		{"a list of pointers to causes", []*metav1.StatusCause{nil, &cause}, []Error{{Status: status}}},
		{"no cause", (*metav1.StatusCause)(nil), nil},
		{"a text", Texts("too big"), []Error{{Text: "too big"}}},
		{"texts", Texts([]string{"too big", ""}), []Error{{Text: "too big"}}},
		{"no text", Texts(""), nil},
		{"texts that are not marked, such as warnings", []string{"deprecated"}, nil},
		{"no error of knative", (*apis.FieldError)(nil), nil},
		{"an error of knative is one for each path", missing, []Error{
			{Type: "FieldValueRequired", Field: "spec.a"},
			{Type: "FieldValueRequired", Field: "spec.b"},
		}},
		{"several errors of knative, one of them a warning", error(missing.Also(
			&apis.FieldError{Message: "invalid value: 7", Paths: []string{"spec.c[0]"}, Details: "must be even"},
			&apis.FieldError{Message: "deprecated", Paths: []string{"spec.d"}, Level: 1},
			&apis.FieldError{Message: "must not set the field(s)", Paths: []string{"spec.e"}},
			&apis.FieldError{Message: "expected exactly one, got both", Paths: []string{"."}})), []Error{
			{Type: "FieldValueRequired", Field: "spec.a"}, {Type: "FieldValueRequired", Field: "spec.b"},
			{Type: "FieldValueInvalid", Field: "spec.c[0]", Detail: "must be even", BadValue: json.RawMessage(`"7"`)},
			{Type: "FieldValueForbidden", Field: "spec.e", Detail: "must not set the field(s)"},
			{Type: "FieldValueInvalid", Detail: "expected exactly one, got both"}}},
		{"a Go error", errors.New("spec.a: no"), []Error{{Text: "spec.a: no"}}},
	} {
		if diff := cmp.Diff(tt.want, Errors(tt.result)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.why, diff)
		}
	}
}

// TestBaseline: the old object of a knative validator is in its context.
func TestBaseline(t *testing.T) {
	f := &Function{Name: "m.Widget.Validate", Receiver: "w"}
	baseline := func(old any, deletes bool) Line {
		return recorded(t, func() {
			call := Start(f, &widget{Spec: widgetSpec{2}})
			defer call.Close()
			call.Baseline(old, deletes)
			call.End(nil)
		})[0]
	}
	if line := baseline(nil, false); line.Old != nil || line.Deletes {
		t.Errorf("a create: %+v", line)
	}
	if line := baseline((*widget)(nil), true); line.Old != nil || !line.Deletes {
		t.Errorf("a delete: %+v", line)
	}
	if line := baseline(&widget{Spec: widgetSpec{1}}, false); string(line.Old) == "" || string(line.Old) == string(line.Object) {
		t.Errorf("an update: %+v", line)
	}
	if line := baseline(&internalWidget{}, false); line.Old != nil || len(line.Unrecorded) != 1 {
		t.Errorf("an old object of a different type: %+v", line)
	}
}

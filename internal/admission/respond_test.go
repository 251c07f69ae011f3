package admission_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/native"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/admission"
	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
)

type part struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Size              int64 `json:"size"`
}

var partV1 = schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Part"}

func partInput(size int64) *harness.Input {
	return &harness.Input{
		Request: harness.Request{
			Version:   partV1,
			Resource:  schema.GroupVersionResource{Group: "example.com", Version: "v1", Resource: "parts"},
			Operation: admissionv1.Create,
		},
		Object: contract.NewView(map[string]any{
			"apiVersion": "example.com/v1",
			"kind":       "Part",
			"metadata":   map[string]any{"name": "p"},
			"size":       size,
		}),
	}
}

// asked sends an input to a validator and reads the answer, as the two ends of a webhook.
func asked(t *testing.T, validator harness.Backend, in *harness.Input) (field.ErrorList, error) {
	t.Helper()
	request, err := admission.NewRequest(in)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := admission.Respond(t.Context(), validator, request.Body)
	if fault := (*admission.NoVerdictError)(nil); errors.As(err, &fault) {
		answer, err = fault.Status(), nil
	}
	if err != nil {
		t.Fatal(err)
	}
	return request.Errors(answer)
}

// The errors of a validator arrive unchanged at the other end.
func TestRespondRoundTrip(t *testing.T) {
	path := field.NewPath("spec", "sizes").Index(3).Child("a").Key("b.c/d")
	text := func(detail string) *field.Error {
		return &field.Error{Type: field.ErrorTypeInvalid, BadValue: field.OmitValueType{}, Detail: detail, Origin: admission.OriginText}
	}
	denied := &field.Error{Type: field.ErrorTypeInvalid, BadValue: field.OmitValueType{}, Origin: admission.OriginDenied}
	for _, tt := range []struct {
		why  string
		errs field.ErrorList
	}{
		{"none", nil},
		{"each type", field.ErrorList{
			field.Invalid(path, "x", "must be y"), field.Required(path, "give one"), field.Forbidden(path, "not here"),
			field.Duplicate(path, "x"), field.NotFound(path, "x"), field.TypeInvalid(path, int64(3), "must be text"),
		}},
		{"values of all kinds", field.ErrorList{
			field.Invalid(path, int64(-1), "a"), field.Invalid(path, 1.5, "a"), field.Invalid(path, true, "a"),
			field.Invalid(path, "q\"uo, te: ]", "a"),
			field.Invalid(path, map[string]any{"a": []any{int64(1), "b: c"}}, "a"), field.Invalid(path, "", ""),
		}},
		{"details that look like more errors", field.ErrorList{field.Invalid(path, "x", "is bad, spec.b: Required value"),
			field.Required(path, "[a: Invalid value: 1]")}},
		{"several of one field", field.ErrorList{field.Required(path, "one"), field.Required(path, "two")}},
		{"a lone text", field.ErrorList{text("a widget cannot shrink")}},
		{"texts beside errors", field.ErrorList{text("a widget cannot shrink"), field.Required(path, "one"), text("nor grow")}},
		{"a bare no", field.ErrorList{denied}},
	} {
		validator := native.Func[*part](func(context.Context, *part, *part) field.ErrorList { return tt.errs })
		got, fault := asked(t, validator, partInput(1))
		if fault != nil {
			t.Errorf("%s: fault %v", tt.why, fault)
		}
		if diff := cmp.Diff(tt.errs, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.why, diff)
		}
	}
}

// A webhook refuses objects that do not fit its Go type. The errors name the fields, and who made them.
func TestRespondUndecodable(t *testing.T) {
	for name, validator := range map[string]harness.Backend{
		"field errors": native.Func[*colored](func(context.Context, *colored, *colored) field.ErrorList { return nil }),
		"an error":     native.ErrorFunc[*colored](func(context.Context, *colored, *colored) error { return nil }),
	} {
		errs, fault := asked(t, validator, partInput(1))
		want := field.ErrorList{{
			Type: field.ErrorTypeTypeInvalid, Field: "size", BadValue: field.OmitValueType{},
			Detail: "the Go type of the webhook cannot hold it: must be text, not a number", Origin: fielderror.OriginDecoding,
		}}
		if diff := cmp.Diff(want, errs); diff != "" || fault != nil {
			t.Errorf("%s: fault %v, errors (-want +got):\n%s", name, fault, diff)
		}
		if _, fault := validator.Validate(t.Context(), partInput(1)); fault == nil {
			t.Errorf("%s: in the process of the test it is a fault: such a case tests nothing", name)
		}
	}
}

// A validator that cannot decide is a fault at the other end, never a refusal.
func TestRespondFaults(t *testing.T) {
	for _, tt := range []struct {
		why       string
		validator harness.Backend
		want      string
	}{
		{"a panic", native.Func[*part](func(_ context.Context, p, _ *part) field.ErrorList {
			_ = []int{}[p.Size]
			return nil
		}), "the validator failed: there is no verdict: panic: runtime error: index out of range [1] with length 0 at " +
			"github.com/diffrun/diffrun/internal/admission_test/respond_test.go:"},
		{"a fault that reads like errors", failing{errors.New("spec.size: Invalid value: 1: must be 2")},
			"the validator failed: there is no verdict: spec.size"},
		{"a reviewer that panics", reviewing(func(*admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse { panic("oh") }),
			"there is no verdict: panic: oh at"},
		{"a reviewer without a response", reviewing(func(*admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse { return nil }),
			"there is no verdict: it gave no response"},
	} {
		errs, fault := asked(t, tt.validator, partInput(1))
		if len(errs) > 0 || fault == nil || !strings.Contains(fault.Error(), tt.want) {
			t.Errorf("%s: errors %v, fault %v, want %q", tt.why, errs, fault, tt.want)
		}
	}
}

// colored has a string where a part has a number.
type colored struct {
	Size string `json:"size"`
}

type failing struct{ err error }

func (failing) Name() string { return "native" }

func (f failing) Validate(context.Context, *harness.Input) (field.ErrorList, error) {
	return nil, f.err
}

// reviewing answers requests itself.
type reviewing func(*admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse

func (reviewing) Name() string { return "native" }

func (reviewing) Validate(context.Context, *harness.Input) (field.ErrorList, error) {
	return nil, errors.New("a reviewer is not asked to validate")
}

func (r reviewing) Review(_ context.Context, request *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
	return r(request)
}

// The validator sees the fields of the request, and fields that its Go type does not have are dropped, as
// webhooks do.
func TestRespondInput(t *testing.T) {
	var seen []*part
	validator := native.Func[*part](func(_ context.Context, object, old *part) field.ErrorList {
		seen = append(seen, object, old)
		return nil
	})
	in := partInput(math.MaxInt64)
	in.Operation, in.Old = admissionv1.Update, partInput(2).Object
	document, err := in.Object.Unstructured()
	if err != nil {
		t.Fatal(err)
	}
	document["color"] = "red"
	if _, fault := asked(t, validator, in); fault != nil {
		t.Fatal(fault)
	}
	if len(seen) != 2 || seen[0].Size != math.MaxInt64 || seen[0].Name != "p" || seen[1].Size != 2 {
		t.Errorf("seen: %+v", seen)
	}
	if errs, fault := validator.Validate(t.Context(), in); fault == nil || !strings.Contains(fault.Error(), `unknown field "color"`) {
		t.Errorf("in a test, a field that the type lacks is a mistake: %v, %v", errs, fault)
	}
	var whole *admissionv1.AdmissionRequest
	_, _ = asked(t, reviewing(func(request *admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse {
		whole = request
		return &admissionv1.AdmissionResponse{Allowed: true}
	}), in)
	if whole == nil || whole.UserInfo.Username != "diffrun" || whole.Resource.Resource != "parts" {
		t.Errorf("a reviewer gets the whole request: %+v", whole)
	}
}

func TestRespondNoRequest(t *testing.T) {
	validator := reviewing(func(*admissionv1.AdmissionRequest) *admissionv1.AdmissionResponse { return nil })
	for _, tt := range []struct{ review, want string }{
		{`{`, "the request is not an AdmissionReview"},
		{`[]`, "the request is not an AdmissionReview"},
		{`{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1beta1","request":{"uid":"1"}}`,
			`apiVersion "admission.k8s.io/v1beta1" and kind "AdmissionReview"; accepted: admission.k8s.io/v1 AdmissionReview`},
		{`{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1"}`, "has no request"},
	} {
		if _, err := admission.Respond(t.Context(), validator, []byte(tt.review)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.review, err, tt.want)
		}
	}
	empty := native.Func[*part](func(context.Context, *part, *part) field.ErrorList { return nil })
	answer, err := admission.Respond(t.Context(), empty,
		[]byte(`{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"1","operation":"CREATE"}}`))
	var review admissionv1.AdmissionReview
	if err == nil {
		err = json.Unmarshal(answer, &review)
	}
	if err != nil || review.Response.UID != "1" || review.Response.Result.Code != 400 ||
		!strings.Contains(review.Response.Result.Message, "the request has no object") {
		t.Errorf("a request without objects: %s, %v", answer, err)
	}
}

// Warnings arrive with the answer.
func TestRespondWarnings(t *testing.T) {
	validator := native.Func[*part](func(ctx context.Context, p, _ *part) field.ErrorList {
		contract.AddNotes(ctx, contract.Notes{Warnings: []string{"parts go away"}})
		if p.Size < 0 {
			return field.ErrorList{field.Required(field.NewPath("size"), "")}
		}
		return nil
	})
	for _, size := range []int64{1, -1} {
		request, err := admission.NewRequest(partInput(size))
		if err != nil {
			t.Fatal(err)
		}
		answer, err := admission.Respond(t.Context(), validator, request.Body)
		if err != nil {
			t.Fatal(err)
		}
		decision, err := request.Validated(answer)
		if diff := cmp.Diff([]string{"parts go away"}, decision.Warnings); diff != "" || err != nil ||
			(len(decision.Errors) > 0) != (size < 0) {
			t.Errorf("size %d: %v, %v (-want +got):\n%s", size, decision.Errors, err, diff)
		}
	}
}

// A function that validates objects is not called for a delete, like a webhook without a rule for DELETE.
func TestRespondDelete(t *testing.T) {
	validator := native.Func[*part](func(context.Context, *part, *part) field.ErrorList {
		t.Error("the function was called")
		return nil
	})
	in := partInput(1)
	in.Operation, in.Old, in.Object = admissionv1.Delete, in.Object, nil
	if errs, fault := asked(t, validator, in); len(errs) > 0 || fault != nil {
		t.Errorf("errors %v, fault %v", errs, fault)
	}
}

package admission_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/admission"
)

var widget = schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Widget"}

func input(version schema.GroupVersionKind, object, old any) *harness.Input {
	in := &harness.Input{Request: harness.Request{Version: version, Operation: admissionv1.Create}, Object: contract.NewView(object)}
	if old != nil {
		in.Operation, in.Old = admissionv1.Update, contract.NewView(old)
	}
	return in
}

func TestNewRequest(t *testing.T) {
	document := map[string]any{
		"apiVersion": "example.com/v1",
		"kind":       "Widget",
		"metadata":   map[string]any{"name": "w", "namespace": "n"},
		"size":       int64(3),
	}
	for _, tc := range []struct {
		why  string
		in   *harness.Input
		want string
	}{
		{
			"a create, as the API server asks",
			input(widget, document, nil),
			`{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"UID",` +
				`"kind":{"group":"example.com","version":"v1","kind":"Widget"},"resource":{"group":"example.com","version":"v1",` +
				`"resource":"widgets"},` +
				`"requestKind":{"group":"example.com","version":"v1","kind":"Widget"},"requestResource":{"group":"example.com",` +
				`"version":"v1","resource":"widgets"},` +
				`"name":"w","namespace":"n","operation":"CREATE","userInfo":{"username":"diffrun","groups":["system:masters",` +
				`"system:authenticated"]},` +
				`"object":{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w","namespace":"n"},"size":3},` +
				`"oldObject":null,"dryRun":true,` +
				`"options":{"apiVersion":"meta.k8s.io/v1","dryRun":["All"],"kind":"CreateOptions"}}}`,
		},
		{
			"an update of a typed object, which does not know its own version",
			input(corev1.SchemeGroupVersion.WithKind("Namespace"), &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: "n"}},
				&corev1.Namespace{}),
			`{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"UID",` +
				`"kind":{"group":"","version":"v1","kind":"Namespace"},"resource":{"group":"","version":"v1","resource":"namespaces"},` +
				`"requestKind":{"group":"","version":"v1","kind":"Namespace"},"requestResource":{"group":"","version":"v1",` +
				`"resource":"namespaces"},` +
				`"name":"n","namespace":"n","operation":"UPDATE","userInfo":{"username":"diffrun","groups":["system:masters",` +
				`"system:authenticated"]},` +
				`"object":{"apiVersion":"v1","kind":"Namespace","metadata":{"name":"n"},"spec":{},"status":{}},` +
				`"oldObject":{"apiVersion":"v1","kind":"Namespace","metadata":{},"spec":{},"status":{}},"dryRun":true,` +
				`"options":{"apiVersion":"meta.k8s.io/v1","dryRun":["All"],"kind":"UpdateOptions"}}}`,
		},
	} {
		t.Run(tc.why, func(t *testing.T) {
			request, err := admission.NewRequest(tc.in)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(strings.Replace(tc.want, "UID", string(request.UID), 1), string(request.Body)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
			again, err := admission.NewRequest(tc.in)
			if err != nil || string(again.Body) != string(request.Body) {
				t.Errorf("the same input gave other bytes, or an error (%v):\n%s", err, again.Body)
			}
		})
	}
	if _, known := document["metadata"].(map[string]any)["uid"]; known || len(document) != 4 {
		t.Errorf("the input was changed: %v", document)
	}
}

func TestRequestsOfDifferentInputsDiffer(t *testing.T) {
	seen := map[string]bool{}
	for _, in := range []*harness.Input{
		input(widget, map[string]any{"size": int64(1)}, nil),
		input(widget, map[string]any{"size": int64(2)}, nil),
		input(widget, map[string]any{"size": int64(1)}, map[string]any{"size": int64(1)}),
		{Request: harness.Request{Version: widget, Operation: admissionv1.Create, Subresource: "status"},
			Object: contract.NewView(map[string]any{"size": int64(1)})},
	} {
		request, err := admission.NewRequest(in)
		if err != nil {
			t.Fatal(err)
		}
		if seen[string(request.UID)] {
			t.Errorf("uid %s a second time", request.UID)
		}
		seen[string(request.UID)] = true
	}
}

func TestErrors(t *testing.T) {
	const uid = "u-1"
	const deny = `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"uid":"u-1","allowed":false,"status":%s}}`
	text := func(detail, origin string) field.ErrorList {
		return field.ErrorList{{Type: field.ErrorTypeInvalid, BadValue: field.OmitValueType{}, Detail: detail, Origin: origin}}
	}
	for _, tc := range []struct {
		why, response string
		want          field.ErrorList
	}{
		{"unknown keys are ignored, as by the API server",
			`{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","note":1,"response":{"uid":"u-1","allowed":true,` +
				`"allowance":false,"status":{"metadata":{"Name":"x"}},"auditAnnotations":{"Allowed":"x"}}}`, nil},
		{"allowed: no error, whatever else the response has",
			`{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"uid":"u-1","allowed":true,"warnings":["w"],` +
				`"status":{"message":"a: Required value"}}}`, nil},
		{
			"causes come before the message",
			fmt.Sprintf(deny, `{"message":"[x: Required value, y: Required value]","details":{"causes":[{"reason":"FieldValueInvalid",`+
				`"field":"spec.a","message":"Invalid value: -1: must be positive, x: Required value"}]}}`),
			field.ErrorList{field.Invalid(field.NewPath("spec", "a"), int64(-1), "must be positive, x: Required value")},
		},
		{
			"two types print the same; the reason distinguishes them",
			fmt.Sprintf(deny, `{"details":{"causes":[{"reason":"FieldValueTypeInvalid","field":"a","message":"Invalid value: `+
				`\"x\": must be an integer"}]}}`),
			field.ErrorList{field.TypeInvalid(field.NewPath("a"), "x", "must be an integer")},
		},
		{
			"a reason that apimachinery does not have is a type of its own, whatever the message says",
			fmt.Sprintf(deny, `{"details":{"causes":[{"reason":"FieldValueBogus","field":"a","message":"Invalid value: 5: must be `+
				`odd"}]}}`),
			field.ErrorList{{Type: "FieldValueBogus", Field: "a", BadValue: int64(5), Detail: "must be odd"}},
		},
		{
			"causes that are filled in by hand",
			fmt.Sprintf(deny, `{"details":{"causes":[{"field":"a","message":"a: Required value: b"},{"reason":"FieldValueForbidden",`+
				`"field":"b","message":"is taken"},{"reason":"Odd","field":"c","message":"odd"},{"message":"d: Forbidden: `+
				`x"},{"message":"somewhere"},{}]}}`),
			field.ErrorList{
				field.Required(field.NewPath("a"), "b"),
				{Type: field.ErrorTypeForbidden, Field: "b", BadValue: field.OmitValueType{}, Detail: "is taken"},
				{Type: "Odd", Field: "c", BadValue: field.OmitValueType{}, Detail: "odd"},
				field.Forbidden(field.NewPath("d"), "x"),
				text("somewhere", admission.OriginText)[0],
			},
		},
		{
			"a reason that contradicts the message wins; the message is kept whole",
			fmt.Sprintf(deny, `{"details":{"causes":[{"reason":"FieldValueForbidden","field":"b","message":"Invalid value: 1: x"}]}}`),
			field.ErrorList{{Type: field.ErrorTypeForbidden, Field: "b", BadValue: field.OmitValueType{}, Detail: "Invalid value: 1: x"}},
		},
		{"the aggregate in the message", fmt.Sprintf(deny, `{"code":403,"reason":"Forbidden","message":"[a: Required value, `+
			`b: Required value]"}`), field.ErrorList{field.Required(field.NewPath("a"), ""), field.Required(field.NewPath("b"), "")}},
		{"the aggregate in the reason, as older controller-runtime has it",
			fmt.Sprintf(deny, `{"code":403,"reason":"a: Required value"}`), field.ErrorList{field.Required(field.NewPath("a"), "")}},
		{"errors are errors, whatever the code is", fmt.Sprintf(deny, `{"code":500,"message":"a: Required value"}`),
			field.ErrorList{field.Required(field.NewPath("a"), "")}},
		{"a text is a denial, whatever the code is", fmt.Sprintf(deny, `{"code":500,"reason":"InternalError","message":"panic: oh"}`),
			text("panic: oh", admission.OriginText)},
		{"a panic that controller-runtime recovered", fmt.Sprintf(deny, `{"code":500,"message":"panic: oh [recovered]"}`),
			text("panic: oh [recovered]", "admission/panic")},
		{"... and where, if who served it knows", strings.Replace(fmt.Sprintf(deny, `{"code":500,"message":"panic: oh [recovered]"}`),
			`"allowed"`, `"auditAnnotations":{"diffrun/panic":"a/b.go:1 (a.b)"},"allowed"`, 1),
			text("panic: oh [recovered]", "admission/panic/a/b.go:1 (a.b)")},
		{"a place is no panic", strings.Replace(fmt.Sprintf(deny, `{"code":500,"message":"oh"}`), `"allowed"`,
			`"auditAnnotations":{"diffrun/panic":"a/b.go:1 (a.b)"},"allowed"`, 1), text("oh", admission.OriginText)},
		{"the text of a panic with another code", fmt.Sprintf(deny, `{"code":403,"message":"panic: oh [recovered]"}`),
			text("panic: oh [recovered]", admission.OriginText)},
		{"a denial is one, whatever the code is", fmt.Sprintf(deny, `{"code":503,"reason":"ServiceUnavailable"}`),
			text("", admission.OriginDenied)},
		{"... also with a code that is not an error", fmt.Sprintf(deny, `{"status":"Success","code":200}`),
			text("", admission.OriginDenied)},
		{"a text", fmt.Sprintf(deny, `{"message":"size: too big"}`), text("size: too big", admission.OriginText)},
		{"a no", fmt.Sprintf(deny, `{"code":403,"reason":"Forbidden","details":{"causes":[]}}`), text("", admission.OriginDenied)},
		{"a no without any status", strings.Replace(deny, `,"status":%s`, "", 1), text("", admission.OriginDenied)},
	} {
		t.Run(tc.why, func(t *testing.T) {
			got, err := admission.Request{UID: uid}.Errors([]byte(tc.response))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestNoResponse(t *testing.T) {
	for _, tc := range []struct{ why, response, want string }{
		{"nothing", "", `the response is not an AdmissionReview: the JSON ends too early; it begins with ""`},
		{"a page", "<html>" + strings.Repeat("x", 300),
			`the response is not an AdmissionReview: invalid character '<' looking for beginning of value; it begins with "<html>` +
				strings.Repeat("x", 194) + `"… (306 bytes)`},
		{"a value of a different kind", `{"response":{"allowed":"yes"}}`,
			`the response is not an AdmissionReview: response.allowed must be true or false, not text; it begins with ` +
				`"{\"response\":{\"allowed\":\"yes\"}}"`},
		{"two documents", `{} {}`, `the response is not an AdmissionReview: invalid character '{' after top-level value; it begins ` +
			`with "{} {}"`},
		{"a different version", `{"apiVersion":"admission.k8s.io/v1beta1","kind":"AdmissionReview"}`,
			`the response is of apiVersion "admission.k8s.io/v1beta1" and kind "AdmissionReview"; accepted: admission.k8s.io/v1 ` +
				`AdmissionReview; it begins with "{\"apiVersion\":\"admission.k8s.io/v1beta1\",\"kind\":\"AdmissionReview\"}"`},
		{"the request sent back", `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{}}`,
			`the AdmissionReview has no response; it begins with "{\"apiVersion\":\"admission.k8s.io/v1\",\"kind\":\"AdmissionReview\",` +
				`\"request\":{}}"`},
		{"the response to a different request", `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{` +
			`"uid":"u-2","allowed":true}}`, `the response has the uid "u-2"; the request had "u-1"`},
		{"a key in other letters, which the API server does not read",
			`{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","Response":{"uid":"u-1","Allowed":true}}`,
			"the response has \"Response\", which the API server ignores because keys are case-sensitive; write response"},
		{"one inside", `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"uid":"u-1","Allowed":true}}`,
			"the response has \"response.Allowed\", which the API server ignores because keys are case-sensitive; write allowed"},
		{"beside the right one", `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"uid":"u-1",` +
			`"allowed":false,"ALLOWED":true}}`, "the response has \"response.ALLOWED\", which the API server ignores because keys " +
			"are case-sensitive; write allowed"},
		{"one of the status", `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"uid":"u-1",` +
			`"allowed":false,"status":{"Message":"no","details":{"Causes":[{"message":"a: Required value"}]}}}}`,
			"the response has \"response.status.Message\", which the API server ignores because keys are case-sensitive; write message"},
		{"one of a cause", `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"uid":"u-1","allowed":false,` +
			`"status":{"details":{"causes":[{"Message":"a: Required value"}]}}}}`,
			"the response has \"response.status.details.causes[0].Message\", which the API server ignores because keys are " +
				"case-sensitive; write message"},
		{"the version", `{"APIVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"uid":"u-1","allowed":true}}`,
			"the response has \"APIVersion\", which the API server ignores because keys are case-sensitive; write apiVersion"},
		{"a validator that broke", `{"apiVersion":"v1","kind":"Status","status":"Failure","code":500,"message":"panic: oh"}`,
			"the response is a Status, not an AdmissionReview: the validator failed: panic: oh"},
		{"... without a word", `{"apiVersion":"v1","kind":"Status"}`, `the response is a Status, not an AdmissionReview: ` +
			`the validator failed: "{\"apiVersion\":\"v1\",\"kind\":\"Status\"}"`},
		{"a mutating webhook", `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"uid":"u-1",` +
			`"allowed":true,"patch":"W10=","patchType":"JSONPatch"}}`, "the response has a patch, which a validating webhook must " +
			"not return; name the path of the validating webhook, not of the mutating one"},
	} {
		t.Run(tc.why, func(t *testing.T) {
			errs, err := admission.Request{UID: "u-1"}.Errors([]byte(tc.response))
			if err == nil || len(errs) > 0 {
				t.Fatalf("errors %v, fault %v", errs, err)
			}
			if diff := cmp.Diff(tc.want, err.Error()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

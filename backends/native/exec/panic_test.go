package exec_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/klog/v2"
	ctrl "sigs.k8s.io/controller-runtime/pkg/log"
	ctrladmission "sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

// serveRecovered answers as a program that serves a webhook of controller-runtime itself, with klog. Without a size it has
// no log.
func serveRecovered(request *admissionv1.AdmissionRequest) {
	var asked object
	must(json.Unmarshal(request.Object.Raw, &asked))
	if asked.Size > 0 {
		ctrl.SetLogger(klog.Background())
	}
	panics := ctrladmission.Webhook{Handler: ctrladmission.HandlerFunc(func(context.Context, ctrladmission.Request) ctrladmission.Response {
		return ctrladmission.Allowed([]string{}[asked.Size])
	})}
	response := panics.Handle(context.Background(), ctrladmission.Request{AdmissionRequest: *request})
	data, err := json.Marshal(admissionv1.AdmissionReview{
		TypeMeta: metav1.TypeMeta{APIVersion: "admission.k8s.io/v1", Kind: "AdmissionReview"}, Response: &response.AdmissionResponse,
	})
	must(err)
	fmt.Println(string(data))
}

// TestRecoveredPanic: a panic that the program recovers is a refusal, with the place that it logged; without a log it is
// one too.
func TestRecoveredPanic(t *testing.T) {
	backend := newBackend(t, 1)
	for _, size := range []int64{0, 0, 3, 7} {
		want := &field.Error{Type: field.ErrorTypeInvalid, BadValue: field.OmitValueType{}, Origin: "admission/panic",
			Detail: fmt.Sprintf("panic: runtime error: index out of range [%d] with length 0 [recovered]", size)}
		if size > 0 {
			want.Origin += "/github.com/diffrun/diffrun/backends/native/exec_test/panic_test.go:26 (exec_test.serveRecovered.func1)"
			backend = newBackend(t, 1)
		}
		check(t, backend, ask("recovered panic", size), field.ErrorList{want})
		check(t, backend, ask("", -1), tooSmall(-1)) // the same program goes on
	}
}

package webhook_test

import (
	"context"
	"sync"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime"

	v1 "example.com/widgets/api/v1"
	"example.com/widgets/webhook"
)

func TestWebhook(t *testing.T) {
	v := &webhook.WidgetValidator{}
	big := &v1.Widget{Spec: v1.WidgetSpec{Size: 12}}
	v.ValidateCreate(context.Background(), big)
	v.ValidateCreate(context.Background(), &v1.Widget{})
	(&webhook.WidgetValidator{Strict: true, Client: new(sync.Mutex)}).ValidateCreate(context.Background(), &v1.Widget{})
	v.ValidateUpdate(context.Background(), &v1.Widget{}, big)
	v.ValidateDelete(context.Background(), big)
	webhook.Admit(admissionv1.AdmissionReview{Request: &admissionv1.AdmissionRequest{Operation: "CREATE", Object: runtime.RawExtension{Raw: []byte(`{"apiVersion":"widgets.example.com/v1","kind":"Widget","spec":{"size":3}}`)}}})
}

// Package handlers has handlers of admission requests, which decode the object themselves.
package handlers

import (
	"context"
	"fmt"
	"net/http"
	"slices"

	admissionv1 "k8s.io/api/admission/v1"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/diffrun/diffrun/internal/gomodule/read/testdata/constructs"
)

// Validator is a handler with a decoder.
type Validator struct{ Decoder admission.Decoder }

// Handle answers a request.
func (v *Validator) Handle(_ context.Context, req admission.Request) admission.Response {
	thing := &constructs.Thing{}
	if err := v.Decoder.Decode(req, thing); err != nil {
		return admission.Errored(http.StatusBadRequest, err)
	}
	if thing.Spec.Name == "a" {
		return admission.Denied("a is taken")
	}
	if thing.Spec.Mode == constructs.Fast && req.UserInfo.Username != "admin" && !slices.Contains(req.UserInfo.Groups, "system:masters") {
		return admission.Denied("only administrators may be fast")
	}
	if err := checkSize(thing); err != nil {
		return admission.Errored(http.StatusUnprocessableEntity, err)
	}
	if req.Operation == admissionv1.Update {
		var old constructs.Thing
		if err := v.Decoder.DecodeRaw(req.OldObject, &old); err != nil {
			return admission.Errored(http.StatusBadRequest, err)
		}
		if old.Spec.Mode != thing.Spec.Mode {
			return admission.Denied("mode cannot change")
		}
	}
	return admission.ValidationResponse(!thing.Spec.Paused || len(thing.Spec.Items) < 2, "paused things are small")
}

func checkSize(thing *constructs.Thing) error {
	if thing.Spec.Size > 2 {
		return fmt.Errorf("size %d is too large", thing.Spec.Size)
	}
	return nil
}

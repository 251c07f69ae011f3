// Package admission speaks to validators as the API server speaks to a
// validating webhook: in AdmissionReviews of admission.k8s.io/v1.
//
// In goes a harness.Input; out come the bytes of a request. In go the bytes of
// a response; out come the errors it means, as *field.Error. How the bytes
// travel is left to packages exec and webhook.
//
// # Errors in a response
//
// The first of these that is there is read:
//
//   - status.details.causes: reason, field and message, as apierrors.NewInvalid
//     fills them in;
//   - status.message (or status.reason, where older controller-runtime puts the
//     text) in the form of field.ErrorList.ToAggregate, see [ParseAggregate];
//   - any other text: one error that names no field, marked [OriginText];
//   - no text: one error that says nothing, marked [OriginDenied].
//
// A status of code 500 or above that names no field is a fault: the validator
// speaks of itself. Warnings and audit annotations are not looked at.
package admission

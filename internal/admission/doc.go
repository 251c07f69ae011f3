// Package admission writes AdmissionReview requests and reads the errors in their
// responses, as the API server does with a validating webhook (admission.k8s.io/v1).
//
// [NewRequest] makes the request for a harness.Input, and [Request.Errors] reads the
// response. Packages exec and webhook send them to a validator. [Respond] is the other end:
// it asks a backend about a request and writes the response.
//
// # Errors in a response
//
// A response that refuses the object has its errors in one of these places. The first
// that is not empty counts:
//
//   - the message that controller-runtime gives after a panic: one error without a field, with the Origin
//     fielderror.OriginPanic and the place of the panic if that is known, see [PanicAnnotation] and [LoggedPanic];
//   - status.details.causes: reason, field and message of each error, as
//     apierrors.NewInvalid writes them;
//   - status.message, or status.reason of older controller-runtime versions, in the form
//     of field.ErrorList.ToAggregate; see [ParseAggregate];
//   - any other text: one error without a field, with the Origin [OriginText];
//   - no text: one error that says nothing, with the Origin [OriginDenied].
//
// The code of the status does not count: as in the API server, a response that does not allow the
// object denies it. A validator without a verdict answers with something other than an
// AdmissionReview, such as a Status ([NoVerdictError]), or with an HTTP status other than 200; that
// is a fault. Audit annotations are ignored.
package admission

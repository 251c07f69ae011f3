// Package webhook is a native backend that asks a validating webhook.
//
// [New] takes the URL and, if the webhook needs them, a CA, a client certificate and a
// bearer token. The backend POSTs an AdmissionReview for each input; package admission
// describes it and turns the response into errors. All requests are dry runs.
//
// [Handler] is the other end: it turns a validator written in Go into a webhook.
//
// A case is a fault if the webhook cannot be reached, answers with a status other than 200, or does
// not answer before the context ends.
//
// The backend retries only failed connections: a few times within 0.7 s, or, if the webhook has
// answered before and is restarting, until shortly before the context ends. It does not retry if
// the webhook accepts the connection and breaks it, as a handler that panics does. After several
// cases in a row with nothing listening, it tries each case once until something answers.
//
// Connections are kept open, and use HTTP/2 if the webhook speaks it over TLS.
package webhook

// Package webhook makes a validating webhook into a native backend.
//
// In goes a URL with what it takes to be let in there: the CA of the server, a
// client certificate, a bearer token. Each input is POSTed as an
// AdmissionReview; out come the errors that the response means. What a request
// and a response look like is left to package admission.
//
// A webhook that answers with another status than 200, that does not answer
// before the context ends, or that cannot be reached is a fault of the case.
// Only a connection that fails is tried again: a few times within 0.7 s, or, where the
// webhook has answered before and is being started anew, until the context is about to
// end. One that takes the connection and breaks it, as a handler that panics does, is
// not waited for. After a few cases in a row at whose address nothing listened each case
// is tried once, until something answers. The requests are dry runs, so one that was
// sent twice does no harm. Connections are kept, and are HTTP/2 where the server speaks
// it over TLS.
package webhook

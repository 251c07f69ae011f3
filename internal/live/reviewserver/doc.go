// Package reviewserver is a validating webhook that allows every request, and hands the
// requests on.
//
// What comes in are AdmissionReviews over HTTPS. What comes out are their answers, at once
// and always "allowed", and a [Queue] of the reviews. The queue is bounded in bytes: what
// does not fit is answered and counted, and waits for nothing.
//
// Left to others: what is done with the reviews (package cases makes cases of them), and
// the collectors that count (package metrics).
package reviewserver

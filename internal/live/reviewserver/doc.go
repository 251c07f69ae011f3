// Package reviewserver is a validating webhook that allows every request at once, and puts the
// AdmissionReviews into a [Queue]. The queue is bounded in bytes: a review that does not fit is answered
// and counted, but not kept.
package reviewserver

// Package webhook puts a shadow.Shadow around the validators of admission webhooks: Validator
// around one of controller-runtime, Handler around its handlers, and HTTPHandler around any
// other that speaks AdmissionReview over HTTP.
//
// The schema is asked after the validator, and only if the validator came to a verdict: one
// that fails, with a code of 500 or above, is not compared. Answers are passed on as they
// are, unless the schema decides, too (shadow.Options.Enforce), and changes the errors.
package webhook

// Package webhook puts a shadow.Shadow around the validators of admission webhooks: Validator
// around one of controller-runtime, Handler around its handlers, and HTTPHandler around any
// other that speaks AdmissionReview over HTTP.
//
// The schema is asked after the validator, and only if the validator came to a verdict. A
// denial is one, whatever its code; an answer that is no AdmissionReview, and a validator that
// gives up because nobody waits any more, are not compared. Answers are passed on as they
// are, unless the schema decides, too (shadow.Options.Enforce), and changes the errors.
package webhook

// Package webhook puts a shadow.Shadow around the validators of admission webhooks: Validator around a
// validator of controller-runtime, Handler around its handlers, and HTTPHandler around any other handler of
// AdmissionReviews over HTTP.
//
// The schema is asked after the validator, and only if the validator reached a verdict. A denial is a
// verdict, whatever its code, except the one that controller-runtime makes of a panic. An answer that is not
// an AdmissionReview, and a validator that stops because the client is gone, are not compared. Answers are
// passed on unchanged, unless the schema decides too (shadow.Options.Enforce) and changes the errors.
package webhook

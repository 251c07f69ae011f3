// Package controllerruntime makes the validators, defaulters and handlers of
// sigs.k8s.io/controller-runtime the sides of a comparison. Only this package depends on
// controller-runtime.
//
// [Validator] takes an admission.Validator of a Go type, [CustomValidator] the older
// webhook.CustomValidator, and [Handler] any admission.Handler. Each gives a native backend
// for harness targets, and exec.Serve and webhook.Handler serve it. Objects are decoded,
// and panics and errors answered, by controller-runtime itself, as in a cluster. Validators
// find the admission.Request in their context. Their warnings are warnings of the result.
//
// The errors are read as native.Errors does: a status with causes, an aggregate of field
// errors, or the text of any other error.
//
// [Defaulter], [CustomDefaulter] and [MutatingHandler] give a [Mutator], which changes
// objects before they are validated. [NewConverter] converts objects between the versions of an
// API with the methods of its Go types.
package controllerruntime

// Package controllerruntime turns validators, defaulters and handlers of
// sigs.k8s.io/controller-runtime into backends and mutators. Only this package depends on
// controller-runtime.
//
// [Validator] takes an admission.Validator of a Go type, [CustomValidator] the older
// webhook.CustomValidator, and [Handler] any admission.Handler. Each returns a native backend for
// harness targets, which exec.Serve and webhook.Handler can serve. controller-runtime itself
// decodes the objects and answers errors, as in a cluster; so a panic that a webhook recovers
// refuses the object. Validators find the
// admission.Request in their context. Their warnings are warnings of the result.
//
// [Collect] finds the webhooks of a project that registers them with a manager.
//
// Errors are read as in native.ErrorFunc: a status with causes, an aggregate of field errors, or the
// text of any other error.
//
// [Defaulter], [CustomDefaulter] and [MutatingHandler] return a [Mutator], which changes objects
// before validation. [NewConverter] converts objects between the versions of an API with the
// methods of its Go types.
package controllerruntime

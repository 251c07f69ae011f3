// Package evaluation evaluates ValidatingAdmissionPolicies and MutatingAdmissionPolicies from files, as
// the API server does.
//
// [Load] reads policies, their bindings, parameter objects, namespaces and definitions of parameter
// kinds, and reports all mistakes at once. [Set.Validate] returns the denials and warnings for one
// request. Matching, parameters, failure policies and CEL are those of k8s.io/apiserver
// (pkg/admission/plugin/policy/validating): this package gives its dispatcher the content of the
// files in place of informers.
//
// # Errors
//
// A denial names no field, so its error has an empty Field and no BadValue. The Detail is the text
// that the author of the policy wrote (message, messageExpression, or "failed expression: …"), so
// that it can be compared with the text of a schema rule. The Origin names policy and binding; see
// [fielderror.OriginPolicy]. The Type follows from the reason of the validation: Invalid,
// Forbidden (also for Unauthorized), or TooLong (for RequestEntityTooLarge).
//
// The API server answers with only the first denial, in an order of policies that changes from run
// to run ([Outcome.Refusal] is its answer for policies in the order of their names). An Outcome has
// every denial, so that each can be compared.
//
// # What needs a cluster
//
// `authorizer` knows the rights that the Roles and bindings in the cluster of a request state, unless
// [Options] has an Authorizer. A policy that asks for more faults. A policy that uses a namespace
// (namespaceObject, or a namespaceSelector for more than the label
// kubernetes.io/metadata.name) faults on requests in a namespace that no file has. A policy that
// reads request.userInfo faults on requests without a user.
//
// # Mutations
//
// [LoadMutations] reads MutatingAdmissionPolicies. [Mutations.Start] begins the way of a request through
// mutating admission, and [Mutation.Mutate] returns the changed object. The dispatcher and the patchers are those of
// pkg/admission/plugin/policy/mutating; objects are documents, which [Resource] converts and defaults.
//
// This package does not read files, prune objects, or order admission. Policies of the other kind are
// mistakes; webhook configurations and other objects that are not parameters are ignored.
package evaluation

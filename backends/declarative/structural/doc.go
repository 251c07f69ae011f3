// Package structural checks whether a schema is structural (KEP-2335), and whether the
// API server would store it in a CustomResourceDefinition.
//
// [Check] checks one schema. [CheckCRD] gives all errors with which the API server refuses
// to create a CustomResourceDefinition, and [CheckCRDUpdate] those of an update, which
// tolerates what was wrong before. [Condition] gives the NonStructuralSchema condition of
// a stored one. Errors have the path in the schema ("properties[foo].items.type");
// [Message] writes one as KEP-2335 does.
//
// [Strip] removes the value validations of a schema. [Unfold] writes Kubernetes'
// extensions as the OpenAPI that they stand for.
//
// Check follows the proposal; types and fields of its errors are those of
// apiextensions-apiserver, which differs from the proposal in two points: it does not
// know x-kubernetes-unions, and it checks completeness only below the junctors of the root
// (see [Completeness]).
package structural

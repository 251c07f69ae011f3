// Package structural checks whether a schema is structural (KEP-2335), and whether the API server
// would store it in a CustomResourceDefinition.
//
// [CheckCRD] returns all errors with which the API server refuses to create a
// CustomResourceDefinition, and [CheckCRDUpdate] those of an update. Both call the API server's own
// code and give its errors better texts. [Condition] returns the NonStructuralSchema condition of a
// stored definition.
//
// [Check] checks one schema as the proposal asks, which is more than the API server does: it knows
// x-kubernetes-unions, names every keyword that has no structural form, and checks completeness at
// every level instead of below the junctors of the root. [Message] writes an error as the proposal
// does. [Strip] removes the value validations of a schema, and [Unfold] writes Kubernetes'
// extensions as the OpenAPI that they mean.
package structural

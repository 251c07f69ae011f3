// Package subresource treats the subresources status and scale of custom resources
// as the API server does ("Subresources for CustomResources", and
// k8s.io/apiextensions-apiserver/pkg/registry/customresource).
//
// What comes in is a version of a CustomResourceDefinition, once (Of), and then the
// objects of a request. What comes out is the object as it is when it is validated,
// with the paths of what the request wanted and does not get (Create, Update,
// UpdateStatus, Scale.Write), the schema of the status (Project), and the errors at
// the paths of the scale (Scale.Validate).
//
// Objects are JSON values, and are never changed.
//
// Left to others: pruning and defaulting, which come before, and validation, which
// comes after (package customresource puts all of it together).
package subresource

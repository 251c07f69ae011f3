// Package subresource treats the subresources status and scale of custom resources as the
// API server does ("Subresources for CustomResources", and
// k8s.io/apiextensions-apiserver/pkg/registry/customresource).
//
// [Of] reads the [Subresources] of a version of a CustomResourceDefinition. Create and
// Update prepare an object for validation as a request to the resource does;
// [UpdateStatus] does the same for a request to its status, and [Scale.Write] for a
// request to its scale. Each returns the object as it is validated, and the paths
// that the client set and the request ignores. [Scale.Validate] validates the values at the
// paths of the scale. [Project] returns the schema of the status.
//
// Objects are JSON values and are never changed. Pruning and defaulting come before,
// validation after; package customresource does all of it.
package subresource

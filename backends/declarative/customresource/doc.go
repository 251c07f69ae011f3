// Package customresource is a kind that a CustomResourceDefinition defines, as the
// API server serves it
// (k8s.io/apiextensions-apiserver/pkg/apiserver/customresource_handler.go and
// pkg/registry/customresource).
//
// What comes in is a version with its schema, once (Compile, NewScheme), and then
// the objects of requests. Scheme takes them through what comes before validation:
// pruning, defaulting, conversion, and what a subresource leaves of them. Validator
// gives the errors: those of the schema, of type and metadata, at the paths of the
// scale, and for an update of the status those of the projection to it.
//
// Left to others: the schema language (package declarative), whether a
// CustomResourceDefinition is a good one (package structural), and reading it
// (internal/definitions). NewTarget does all of it for a test.
package customresource

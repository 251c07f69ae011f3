// Package serving describes what the API server does with a request besides admission: it decodes the
// object, defaults, prepares, validates and stores it.
//
// A [Resource] does this for the objects of a kind. Package customresource has the Resource of a
// CustomResourceDefinition, and package native/kubernetes/registry those of the built-in kinds. Package world
// puts admission between the stages of a [Request].
package serving

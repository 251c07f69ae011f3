// Package keyword checks single values against keywords that need only the value: type,
// strings, numbers, formats, enums, sizes and uniqueness of lists, embedded resources.
//
// Each keyword of a schema (Source) is compiled once into a Check. A Check reports violations
// to a Subject, which knows the path. This package knows no paths, old values or other schemas.
//
// The meaning of a keyword follows kube-openapi and apiextensions-apiserver, and KEP-4153
// where Source.CustomResource is false.
package keyword

// Package keyword checks single values against the keywords of a schema that need
// nothing but the value: type, strings, numbers, formats, enums, sizes and uniqueness
// of lists, embedded resources.
//
// A keyword comes in as part of a schema (Source), once, and becomes a Check. A check
// reports violations to a Subject, which knows where the value stands. So nothing here
// knows paths, old values, other schemas, or in which order values are visited.
//
// What a keyword means follows kube-openapi and apiextensions-apiserver, and KEP-4153
// where Source.CustomResource is false.
package keyword

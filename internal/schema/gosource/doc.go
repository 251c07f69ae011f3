// Package gosource makes schemas of the Go types that users name on the command line and in suites.
//
// [Load] makes the schema of one type, such as "go:./api/v1.Widget", and [LoadPackages] those of
// all types in packages, such as "./api/...". A [Source] has a CustomResourceDefinition if the
// package belongs to a kubebuilder project or there are several versions, and otherwise a schema
// with its definitions. Errors are userfile.Mistakes with the file and line of the source. Package
// idl defines the meaning of markers.
package gosource

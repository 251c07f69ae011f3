// Package gosource makes schemas of the Go types that people name on the command line and in
// suites.
//
// What comes in is "go:./api/v1.Widget", packages and a type with overlays, or packages as
// "./api/..." with all their types. What comes out is a Source, or several: a
// CustomResourceDefinition where a package is of a kubebuilder project or there are several
// versions, and a schema with its definitions otherwise. Every mistake is a userfile.Mistakes with
// the file and line of the source.
//
// Left to others: what markers mean (package idl), and compiling the schemas.
package gosource

// Package idl turns Go types with marker comments into OpenAPI v3 schemas.
//
// [Generate] takes Go packages, the names of root types, and overlays. It returns the schemas of all
// types that the roots reach. They refer to each other by $ref, so recursive types stay recursive.
// They have no descriptions, and the same input gives the same bytes. [CRD] makes a whole
// CustomResourceDefinition, as controller-gen does. Both return all mistakes at once, each with file
// and line, and [Origins], which map places of a schema to the lines that made them. Package
// declarative compiles the schemas.
//
// The markers, zero values and overlay files are described in docs/reference/markers.md. A marker
// that a schema cannot express is in Result.Unexpressed.
//
// Inside, package marker reads the text of markers, and overlay the files of overlays.
package idl

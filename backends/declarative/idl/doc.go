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
// The stages are internal packages: gotypes parses Go packages, overlay reads overlays, marker and the
// dialects (kep4153, k8s, kubebuilder) read markers, and target applies them to schemas. The files of
// this package build the schemas (build.go, crdwalk.go), apply markers in order (apply.go), and report
// markers without effect (sourcecheck.go, overlaycheck.go).
package idl

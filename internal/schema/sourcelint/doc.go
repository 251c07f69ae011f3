// Package sourcelint compares the markers of Go types: those of the versions of one API.
//
// What comes in are packages and their types with markers (idl.MarkersOf). What comes out are
// Differences: a marker that one version has on a field, and another version does not have on the
// field of the same name. Dialects that say the same are the same, as +minimum=1 and
// +kubebuilder:validation:Minimum=1.
//
// Left to others: what is wrong within one version (package schemalint, which looks at the schema
// that the markers make), and which differences are accepted (package lintreport).
package sourcelint

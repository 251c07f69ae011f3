// Package target defines what a marker is and what it changes: a [Dialect] parses a [Marker], which
// changes a [Target], a place in the schemas of Go types.
//
// [Schemas] are the definitions of a run. A marker below a $ref changes a copy of the definition. A
// marker that depends on other fields or markers defers its work until these are known.
package target

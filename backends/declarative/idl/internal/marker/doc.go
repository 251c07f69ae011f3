// Package marker reads the text of markers: lines of comments and overlays that begin with "+".
//
// It knows quotes, line breaks, prefixes such as "items:", gates, and the names of other tools'
// markers, and it suggests the marker that a misspelled name most likely means. It does not know
// what a marker does to a schema.
package marker

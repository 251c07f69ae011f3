// Package nativecoverage counts what the calls of hand-written validators that make errors do in a
// run.
//
// [Find] reads the source of packages and finds these calls: of the constructors of package field
// (Invalid, Required and so on), literals of field.Error, and calls of functions that return what such
// a call made. A [Recorder] counts for each [Site] whether it ran, and what became of its errors. To
// find the site of an error, it compares the error with what the source says about the site's errors:
// the type, the end of the field path, words of the detail.
package nativecoverage

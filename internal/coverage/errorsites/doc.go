// Package errorsites finds the calls of hand-written validators that make errors, and says
// which of them made a given error.
//
// [Find] reads the source of packages with go/packages: calls of the constructors of package
// field (Invalid, Required and so on), literals of field.Error, and calls of functions that
// return what such a call made. Out come [Site]s. [Assign] compares errors with what the source
// of sites says about theirs: type, end of the field path, words of the detail. Which sites ran
// is for others to say.
package errorsites

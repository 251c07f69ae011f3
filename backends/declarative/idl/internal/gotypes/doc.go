// Package gotypes parses the Go packages that declare API types.
//
// [Load] loads packages with the go command. [Sources] parses them, and the packages that they import
// on first use, into [Package]s: types and constants with the markers above them. Nothing is
// type-checked, so the packages need not compile.
package gotypes

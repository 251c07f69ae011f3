// Package overlay reads overlay files, which add markers to Go types that cannot be edited.
//
// [Read] parses a file. [Link] replaces the uses of sets and expressions by their text and sorts out
// the lines whose options are not enabled. [Files.Entries] then returns the markers of a type. The
// package reports mistakes in the files; whether types and fields exist is checked by its caller.
package overlay

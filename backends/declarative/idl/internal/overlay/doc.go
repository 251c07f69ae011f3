// Package overlay reads overlay files, which add markers to Go types that cannot be edited.
//
// [Read] parses a file. [Link] replaces the uses of sets and expressions by their text, and removes
// the lines whose options are not enabled. [Files.Entries] then returns the markers of a type. The
// package reports mistakes in the files. Its caller checks whether types and fields exist.
package overlay

// Package nativecoverage counts what the calls of hand-written validators that make errors do in a
// run.
//
// In go the sites of package errorsites, the native backends and results of a run, and what Go's
// own coverage counted. Out come the sites with their counts, for a coverage.Report.
package nativecoverage

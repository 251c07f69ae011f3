// Package nativecoverage counts what the calls of hand-written validators that make errors do in a
// run.
//
// A [Recorder] counts for each site (package errorsites) whether it ran, and what became of its errors. To
// find the site of an error, it compares the error with what the source says about the site's errors.
package nativecoverage

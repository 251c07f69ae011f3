//go:build go1.22

// Package recorder is put into the tests of other modules, where it writes down the calls of
// instrumented functions.
//
// In goes what an instrumented function tells: Start before the body, End with the results,
// Close in any case, and Test at the beginning of each test. Out comes a line of JSON for
// each call (Line), written at once, so that a process that is killed loses at most the calls
// in flight. Each process writes a file of its own in the folder that the environment
// variable Folder names. Without this variable nothing is recorded.
//
// The package imports the standard library alone, because every module can compile that. It
// therefore knows the types of Kubernetes by their shape: an object is a pointer to a struct,
// a field error is a struct with the fields Type, Field and Detail.
//
// What the lines say about each other (duplicates, an order, targets) is left to package
// corpus.
package recorder

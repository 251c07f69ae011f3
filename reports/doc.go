// Package reports writes what a run found, for people and for programs.
//
// In comes a stream: a [Header], a harness.Result at a time, a [Footer]. Out
// go the bytes of a format, written as the results come: what a [Reporter]
// keeps does not grow with their number. [New] lists the formats and makes
// them; a new one is a line in formats and a file of its own.
//
// Counting results is left to harness.Summary, saying which exceptions and
// rules are stale to package equivalence, and the exit status to the command.
// A reporter never changes the results it is given.
package reports

// Package reports writes the results of a run, for people and for programs.
//
// [New] makes a [Reporter] for a format: text and html for people, json and jsonl for programs
// ([Formats] lists all of them). Call Begin once, Result for each
// harness.Result, and End once. A reporter writes each result when it gets it, so its
// memory does not grow with their number, and it never changes a result.
//
// [Read] reads the results of a recorded run back from the formats json and jsonl.
//
// [InTests] is an option of harness.For: it writes what a test finds as such a report, where
// the environment variable DIFFRUN_REPORT asks for it.
//
// A reporter does not count and does not judge: harness.Summary counts results,
// equivalence.Ledger finds stale rules and exceptions, and the command decides the exit
// status.
package reports

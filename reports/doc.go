// Package reports writes the results of a run, for people and for programs.
//
// [New] makes a [Reporter] for a format: text and html for people, json and jsonl for
// programs, the others for CI systems and code hosts ([Formats] lists all of them). Call
// Begin once, Result for each harness.Result, and End once. A reporter never changes a
// result. It writes each when it gets it, or keeps causes of a bounded number, so its memory
// does not grow with the results; junit alone, where counts stand before the tests, keeps the
// names of all and bounded texts of those that failed.
//
// [Play] passes a recorded run, in the formats json and jsonl, to a reporter. [Read] gives
// its results.
//
// [InTests] is an option of harness.For: it writes what a test finds as such a report, where
// the environment variable DIFFRUN_REPORT asks for it.
//
// A reporter does not count and does not judge: harness.Summary counts results,
// equivalence.Ledger finds stale rules and exceptions, and the command decides the exit
// status.
package reports

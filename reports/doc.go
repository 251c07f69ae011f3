// Package reports writes the results of a run, for people and for programs.
//
// [New] creates a [Reporter] for a format: text and html for people, json and jsonl for programs,
// the others for CI systems and code hosts ([Formats] lists all of them). Call Begin once, Result
// for each harness.Result, and End once. A reporter never changes a result. Its memory does not
// grow with the number of results: it writes each result at once, or keeps a bounded number of
// causes. The exception is junit, where counts come before the tests: it keeps the names of all
// tests, and bounded texts of those that failed.
//
// [Play] sends a recorded run, in the format json or jsonl, to a reporter. [Read] returns it.
//
// [InTests] is an option of harness.For. If the environment variable DIFFRUN_REPORT is set, it
// writes the results of a test as a report.
//
// A reporter neither counts nor judges: harness.Summary counts results, equivalence.Ledger finds
// stale rules and exceptions, and the command decides the exit status.
package reports

// Package cases loads suites: it binds the two validators of each kind to the
// cases that both are to judge.
//
// In goes a suite.yaml in a file system, and the validators and schemas that
// the command links in ([Builtin]). Out comes a [Suite]: its rules, its
// exceptions, and a stream of harness.Jobs, each a case with the harness of
// its kind. Cases are written in YAML (case files), as JSON lines, or are
// plain manifests; the two latter are read while the run goes on, so that
// their number does not matter.
//
// What is wrong with a suite, or with a case file as a whole, is a mistake of
// the caller: [Load] gives all of them at once, with file and line. What is
// wrong with the content of one case is a fault of that case, and the others
// run.
//
// Running the jobs, judging the results and drawing reports are left to
// packages harness and reports, and to the command.
package cases

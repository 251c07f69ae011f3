// Package run runs suites and reports the results: the sessions behind "diffrun run", merge, report,
// coverage and mutate. It turns flags into [Options], loads the suites, compares their cases, and
// decides which problems of a run and which exit status follow from the results.
package run

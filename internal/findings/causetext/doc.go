// Package causetext draws a cause as Markdown and as the annotation of a CI system, for the reports of
// a run and of the difference between two runs.
package causetext

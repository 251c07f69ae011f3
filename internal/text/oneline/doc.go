// Package oneline formats errors with several lines on one line, for mistakes in files, faults of cases and
// answers to lines.
package oneline

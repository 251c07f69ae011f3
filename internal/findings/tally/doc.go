// Package tally puts the counts of a run into one line.
//
// Every command that compares ends with this line: run, merge, report, explore and soak. It takes the
// counts and returns text; it decides nothing.
package tally

// Package record has the parts of the header and the footer of a recorded run that only the command fills in:
// its suites, where it comes from, what it left out, and the counts that diffrun merge adds up.
package record

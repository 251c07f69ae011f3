// Package oneline gives errors that were written for a page the form of a line, for
// places that have no more: a mistake of a file, the fault of a case, the answer to a
// line.
package oneline

// Package exceptionfile edits files of exceptions (package equivalence) in place.
//
// [Add] writes exceptions for the differences of a run, and [Apply] changes or removes exceptions. Both
// change only the lines that they must: comments, quotes and the order of the entries stay. Each result
// is loaded again and compared with what was wanted before it is returned.
package exceptionfile

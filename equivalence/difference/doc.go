// Package difference has what a comparison of errors takes and returns besides the errors: the classes of
// differences, which files of exceptions and gates name, the answers of a validator, and what a schema declares.
// Package equivalence decides about the class of a pair.
package difference

// Package difference has the classes of differences between two validators. A file of exceptions and a gate
// name them, and every equivalence.Pair that does not agree has one. It knows no errors: package equivalence
// decides about the class.
package difference

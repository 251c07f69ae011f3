// Package waiver reads what everything that is accepted for a while has: who owns it, why, where
// it is discussed, and its last day.
//
// What comes in are the keys of an entry of a file of exceptions, those of differences (package
// equivalence) and those of lints (package lintreport). What comes out are their values, the keys
// that are missing, and whether the last day is over.
//
// Left to others: what an exception accepts.
package waiver

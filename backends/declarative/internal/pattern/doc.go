// Package pattern matches strings against regular expressions like package regexp, but faster.
//
// A Pattern reports whether a string has a match of an expression. It is a table of states (a DFA) if
// that is small enough; strings that are not ASCII, and expressions with a large table, are left to
// package regexp.
package pattern

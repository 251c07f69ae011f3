// Package pattern matches strings against regular expressions, as package regexp
// does and faster.
//
// What comes in is a regular expression in Go's syntax. What comes out says whether
// a string has a match in it. A Pattern is a table of states (a DFA) where that is
// small enough; strings outside of ASCII, and expressions whose table would be
// large, are left to package regexp.
//
// Left to others: submatches, and what a pattern means in a schema.
package pattern

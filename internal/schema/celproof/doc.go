// Package celproof proves the outcome of CEL rules from the schemas of the objects that they read.
//
// [Always] and [Never] report whether a rule is true for all objects that a schema accepts, or for
// none. [Implied] reports whether it follows from other rules, and [HoldsWithDefault] whether it
// stays true if a default is set. No is not a proof of the opposite.
//
// Proofs know fields that may be missing (up to ten are tried in both ways), bounds of numbers and
// sizes, enums, patterns, and expressions that are compared with themselves. No rule is evaluated
// here.
package celproof

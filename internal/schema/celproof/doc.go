// Package celproof proves the outcome of CEL rules from the schemas of the objects that they read.
//
// [Always] and [Never] report whether a rule is true for all objects that a schema accepts, or for
// none. [Implied] reports whether it follows from other rules, and [HoldsWithDefault] whether it
// stays true if a default is set. False is not a proof of the opposite.
//
// Proofs know optional fields (up to ten are tried both set and missing), bounds of numbers and
// sizes, enums, patterns, and comparisons of an expression with itself. No rule is evaluated.
package celproof

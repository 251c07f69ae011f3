// Package proof proves that each value which one schema accepts is accepted by another.
//
// What comes in is what is known about a value, as schemas that all accept it, and a schema. What
// comes out is whether the schema accepts every such value. It is a proof: where nothing is proved,
// the answer is no. Proofs know kinds of values, bounds of numbers and sizes, enums, languages of
// patterns, required fields, and the branches of junctors; they go into fields and items.
//
// The semantics are those of the API server: an integer is compared with a bound without its
// fraction, a null meets the type and the enum alone, and an undeclared field is refused.
//
// Left to others: CEL rules (package ruleproof), and what defaulting does to a value before it is
// validated. A caller asks only about values that are the same on both sides.
package proof

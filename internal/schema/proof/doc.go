// Package proof proves that every value which one schema accepts is accepted by another one.
//
// [Accepts] takes a [Value], which is what is known about a value in the form of schemas that all
// accept it, and a schema. No is not a proof of the opposite. Proofs know kinds of values, bounds
// of numbers and sizes, enums, the languages of patterns, required fields, and the branches of
// junctors; they follow fields and items.
//
// The semantics are those of the API server: an integer is compared with a bound without its
// fraction, null is checked against the type and the enum only, and an undeclared field is refused.
// Package celproof is about rules. The effect of defaulting is not considered: callers ask only
// about values that are the same on both sides.
package proof

// Package proof proves that one schema accepts every value that another one accepts.
//
// [Accepts] takes a [Value], which is what is known about a value, and a schema. What is known has
// the form of schemas that all accept the value. False is not a proof of the opposite. Proofs know
// kinds of values, bounds of numbers and sizes, enums, the languages of patterns, required fields,
// and the branches of junctors; they follow fields and items.
//
// The semantics are those of the API server: an integer is compared with a bound without its
// fraction, null is only checked against the type and the enum, and an undeclared field is refused.
// Package celproof is about rules. Defaulting is not considered, so callers only ask about values
// that are the same on both sides.
package proof

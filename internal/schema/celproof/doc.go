// Package celproof proves what CEL rules give, from the schemas of the objects that they look at.
//
// What comes in is an expression, the schema that has the rule, and the schema that all objects
// are valid in; for a lint they are one schema. What comes out is whether the rule is true for all
// of these objects, or for none of them. Both are proofs: where nothing is proved, the answer is
// no. They hold for fields that are there or not (up to ten of them are tried in both ways),
// bounds of numbers and sizes, enums, patterns, and expressions that are compared with themselves.
//
// Rules follow from others, too, and from what a default fills in.
//
// Left to others: CEL itself. A rule that was proved is not evaluated here.
package celproof

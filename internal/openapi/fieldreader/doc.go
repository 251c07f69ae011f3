// Package fieldreader finds the fields that CEL expressions read although an object may lack them.
//
// A [Reader] takes an expression of celexpr and the schemas of its variables, and follows what has(), in, junctors and
// choices prove about the fields that are set. Admission policies and the rules of definitions share it. It does not
// evaluate: a finding may still be excluded by a condition on another field.
package fieldreader

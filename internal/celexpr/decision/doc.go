// Package decision shows what inputs test of a condition, as modified condition/decision coverage counts it.
//
// A [Decision] is a condition over self and oldSelf, taken apart into atoms: the comparisons and calls that are joined by
// &&, ||, !, choices and the macros all and exists. A side of an atom, true or false, is shown by objects for which the
// atom has this value and decides: the condition would have the other value if only the atom had. In a loop the atom of
// one item decides. [Decision.Of] evaluates a condition on objects, and [Evaluation.Distance] tells how far they are from
// showing a side.
//
// An atom that cannot be evaluated, such as a field that is absent, has no value. The condition has one if the others
// decide it.
package decision

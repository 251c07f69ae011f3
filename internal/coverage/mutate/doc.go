// Package mutate tests whether the cases of suites would notice if a schema were weaker.
//
// [Run] weakens each keyword and rule of the schemas in turn: a bound by one, an enum by one more value, a
// rule to true; other keywords are dropped. Then it compares the inputs that violate the keyword again. All
// other inputs have the same result, because a weaker keyword still accepts them.
//
// A weakened keyword is a mutant. It is killed if the comparison of an input changes: its verdict, its
// effect, or the class of a difference at a field. A mutant that inputs violate and that is not killed
// survived: such a mistake in the schema would go unnoticed. If no input violates or reaches a keyword,
// cases are missing.
//
// A definition is weakened once, wherever schemas refer to it: a keyword of the containers of a pod is one
// mutant of all kinds with pods, and a case of any of them kills it.
//
// These are not weakened, because no input could kill them: type, by which rules and other keywords are
// compiled; keywords without an effect on validation; and keywords whose weaker form accepts the same values
// of the type, such as a maximum beyond the range of integers.
package mutate

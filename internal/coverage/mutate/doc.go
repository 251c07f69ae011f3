// Package mutate says whether the cases of suites would notice if a schema were weaker.
//
// What comes in are the suites of a run. Each keyword and rule that their schemas declare is
// weakened in turn: a bound by one, an enum by a value more, a rule to true; others are dropped.
// The inputs that the keyword found wrong are then compared again. A weaker keyword changes
// nothing else: what it accepted before, it accepts. Out comes a [Report].
//
// A weakened keyword is a mutant. It is killed if the comparison of an input changes: its
// verdict, its effect, or the class of a difference at a field. A mutant that inputs violate and
// that is not killed survived: a mistake of that kind in the schema would stay unnoticed. If no
// input violates a keyword, or none reaches it, nothing needs to be run; cases are missing.
//
// A definition is weakened once, wherever schemas refer to it: a keyword of the containers of a
// pod is one mutant in all kinds that have pods, and a case of any of them kills it.
//
// type is not weakened: rules and other keywords are compiled by it. Keywords without an effect
// on validation are not either, nor is what says the same of every value of the type once it is
// weaker, as a maximum beyond the range of integers: no input could kill it.
package mutate

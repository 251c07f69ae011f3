// Package search finds the conditions under which a native validator reports an error.
//
// In come the samples of package evidence and the conditions of package rules; out go [Explanation]s: the simplest hypotheses that
// agree with all samples. A [Finder] asks about objects at both sides of each condition, about objects that tell a hypothesis from
// its mutants, about other values of the fields that it does not read, and about other spellings of the texts that it does, until
// no answer contradicts it. How a hypothesis becomes a rule of a schema is left to package proposal.
package search

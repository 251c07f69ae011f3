// Package infer proposes the rules that a schema lacks, and proves them.
//
// [Run] explores a target and collects the errors of its native validator that the schema lacks, by
// site. For each site it looks for conditions under which the native validator reports the error
// ("has(self.keep) && self.keep > 365"), and asks the validator about objects at both sides of each
// condition until one explanation is left. The simplest set of conditions that explains every error
// becomes rules: OpenAPI keywords if they can say it, and otherwise CEL.
//
// The conditions are CEL expressions, and the engine of package declarative evaluates them. Nothing
// here knows what an expression means, so a condition that explains the errors is the rule that the
// API server would run.
//
// A rule is proven only if the answers of the native validator tell it from each of its mutants: the rule
// with one literal, one operator or one operand changed. The package makes the objects that do. A mutant that
// makes no difference on any of them counts as equivalent; the report says how many do.
//
// The texts that a rule reads are spelt otherwise, and objects that it refuses are sent by others: a rule that fits only what was
// tried is not proven.
//
// Write adds the proven rules to the file with the definition. The result is compiled from this file and
// compared with the native validator on all inputs that were asked about and on a fresh exploration:
// the [Report] says which sites are proven, and shows the smallest object that still differs. A rule that refuses an
// object which the native validator accepts is refuted: its site is explained again, and it is not in the proposal.
//
// Each step is a package that imports only those before it: evidence asks the validator, rules makes conditions, search finds those
// that explain the errors, proposal writes and proves them, and policy says the rest as validations of policies.
//
// Everything depends only on the seed, the cases and the answers of the validators. If the time is
// over early, the report says so.
package infer

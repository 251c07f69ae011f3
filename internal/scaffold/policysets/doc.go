// Package policysets finds the policies of engines in a repository, pairs each with what succeeds it, and writes suites that
// compare the two.
//
// In comes a directory. Find reads policies of Kyverno, templates and tests of Gatekeeper, and ValidatingAdmissionPolicies.
// Of Kyverno's, a policy in patterns is paired with the policy of the same name, or of the same place in a folder beside, such
// as best-practices and best-practices-cel, that is written in CEL; and each policy in CEL with the ValidatingAdmissionPolicy
// that its engine generates of it. Out come pairs with the samples of their tests, and what has no pair.
package policysets

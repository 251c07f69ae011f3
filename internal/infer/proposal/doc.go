// Package proposal writes explanations as rules of a definition, and proves them.
//
// In come the explanations of package search; out goes a [Proposal]: OpenAPI keywords and CEL rules in the file with the definition
// or, for a Go type, in an overlay. A [Prover] compares it with the native validator on all samples, on the cases of the suite and on
// a fresh exploration. A rule that refuses what the native validator accepts is refuted, and not proposed again.
package proposal

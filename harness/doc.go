// Package harness runs one input through two validators and says whether they
// agree.
//
// In goes a [Case], an object and for an update also the one before it,
// written in one version of a [Target]. Out comes a [Result] for each version
// of the target: the errors of both backends, how they pair up, which
// differences a rule or an exception explains, and the [Verdict].
//
// The stages stand in [Harness.Check], a line each:
//
//	decode ─ default ─ convert to each version ─┬─ native ──────┐
//	                                            └─ declarative ─┤
//	              verdict ─ exceptions ─ match ─ normalize ─────┘
//
// No stage changes what it was given. What decodes, defaults and converts is
// the target's [Scheme]; what validates is a [Backend]; what pairs errors is
// package equivalence. Loading suites, drawing reports and counting metrics
// are left to packages cases, reports and metrics, which import this one.
package harness

// Package harness validates an object with two validators and reports whether they agree.
//
// In a test, bind the validators of a kind to a [Target], and pass it to [For]. [Harness.Test] then
// validates a [Case] with both, in every version of the target. It fails the test on a difference
// and returns the native errors, so existing assertions stay as they are:
//
//	both := harness.For(t, target)
//	errs := both.Test(t, harness.Case{Object: widget}) // was: ValidateWidget(widget)
//
// Options of [For] add rules, accept reviewed exceptions, and receive the results:
// [WithRules], [WithExceptions], [WithSink].
//
// A custom resource needs only its definition and its Go validator; package
// backends/declarative/customresource makes the Target. [New] makes a Harness with
// rules, exceptions and other [Options], [Harness.Check] returns a [Result] for each
// version instead of failing a test, and [Run] checks many cases in parallel.
//
// A case passes through these stages; none of them changes its input:
//
//	decode ─ default ─ convert to each version ─┬─ native ──────┐
//	                                            └─ declarative ─┤
//	              verdict ─ exceptions ─ match ─ normalize ─────┘
//
// The [Scheme] of the target decodes, defaults and converts objects. A [Backend]
// validates. Package equivalence matches the errors and applies exceptions.
//
// A result separates four things: errors of validation, differences between the
// backends, faults (a backend or the case made a comparison impossible), and versions
// that cannot express the case.
package harness

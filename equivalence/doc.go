// Package equivalence decides whether two lists of validation errors say the
// same.
//
// In come the errors of a native and of a declarative validator for one input,
// rules (which wordings mean the same) and exceptions (which differences are
// accepted). Out come Pairs: every error exactly once, with its partner on the
// other side if it has one, the Class of their difference, and the Rule or the
// Exception that explains it. A Ledger counts over a run which rules and
// exceptions were needed.
//
// What runs the validators, what a case is, and which differences fail a run
// is left to others; nothing here knows of a backend.
package equivalence

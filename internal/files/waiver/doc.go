// Package waiver has the keys of everything that is accepted for a while: the owner, the reason, the
// issue, and the last day. Exceptions for differences (package equivalence) and for lints (package
// lintreport) have them.
package waiver

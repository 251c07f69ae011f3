// Package read reads the source of hand-written validators: for each place that makes an error, the condition under
// which it is made, as an expression of CEL over self and oldSelf.
//
// [Load] reads packages, [Program.Roots] finds the functions that are given an object, and [Program.Read] evaluates one
// of them with an object that is not known: each value is a place of the object, an expression over such places, or
// not known, with the reason. Calls are inlined, up to a budget.
//
// A condition is a reading and no proof: what cannot be read is listed in [Site.Unread], and a condition without such
// parts can still be wrong. Whoever uses it asks the validator.
package read

// Package diff finds what one schema accepts and another one rejects.
//
// [Walk] compares two [Side]s keyword by keyword and names each [Change]; [Run] has both validate
// generated objects and returns the smallest one for each disagreement. A change that Walk cannot
// judge, or a disagreement that no change explains, is Unknown, and is always reported.
//
// An undeclared field counts as rejected, as it is if a request asks for strict field validation,
// which kubectl does.
package diff

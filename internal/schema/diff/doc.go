// Package diff finds objects that one schema accepts and another one rejects.
//
// [Walk] compares two [Side]s keyword by keyword and names each [Change]. [Run] lets both validate
// generated objects and returns the smallest object for each disagreement. A change that Walk
// cannot judge, and a disagreement that no change explains, is Unknown and always reported.
//
// An undeclared field counts as rejected, as under strict field validation, which kubectl requests.
package diff

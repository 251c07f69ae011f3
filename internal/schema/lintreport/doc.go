// Package lintreport lints schemas that users name and reports the findings.
//
// [Check] lints the schemas of package source and compares the markers of the versions of one API.
// Two kinds of files accept findings: a [Baseline], which is the JSON of an earlier report, and
// [Exceptions], which have an owner, a reason and an expiry date. The [Report] is written as text,
// JSON or SARIF. A finding in several versions of one definition is reported once.
package lintreport

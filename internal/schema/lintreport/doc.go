// Package lintreport lints the schemas that people name and reports the findings.
//
// [Check] takes the schemas of package source and the markers that the versions of one API do not
// share. A [Baseline], the JSON of an earlier report, and [Exceptions], which have an owner, a
// reason and an expiry date, accept findings. The [Report] is written as text, JSON or SARIF. A
// finding in several versions of one definition is reported once.
package lintreport

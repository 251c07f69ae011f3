// Package lintreport lints the schemas that people name, and writes what was found.
//
// What comes in are schemas of package schemasource and, if there is one, a baseline: the
// JSON of an earlier report, whose findings are accepted. What comes out is a Report, and
// its text, JSON or SARIF. A finding in several versions of one definition is reported
// once.
//
// Left to others: the lints (package schemalint), flags and exit statuses.
package lintreport

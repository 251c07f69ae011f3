// Package lintreport lints the schemas that people name, and writes what was found.
//
// What comes in are schemas of package schemasource, the markers that versions of one API do not
// share, and what is accepted: a baseline, the JSON of an earlier report, and exceptions, which
// have an owner, a reason and a last day. What comes out is a Report, and
// its text, JSON or SARIF. A finding in several versions of one definition is reported
// once.
//
// Left to others: the lints (package schemalint), flags and exit statuses.
package lintreport

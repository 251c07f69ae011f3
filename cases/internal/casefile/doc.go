// Package casefile reads files of cases: case files, lines of JSON, manifests and recorded requests.
// docs/reference/cases.md documents the formats.
package casefile

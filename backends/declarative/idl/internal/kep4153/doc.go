// Package kep4153 is the dialect of KEP-4153: the markers of its sections "Proposal" and "Improve
// Current Schema Quality", and the older markers of types.go files. docs/reference/markers.md lists
// them. A marker sets keywords of a schema or becomes a CEL rule.
package kep4153

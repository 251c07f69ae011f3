// Package compare compares two releases of an API: schemas, and whole
// CustomResourceDefinitions with all their versions.
//
// What comes in are schemas of package schemasource or definitions, and levels that a user
// may have given to kinds of changes. What comes out is a Comparison: what changed in the
// definition itself, in each version, and between the versions that B serves. It is
// written as text, JSON or Markdown.
//
// Left to others: how two schemas differ and which objects show it (package schemadiff),
// reading schemas, flags and exit statuses.
package compare

// Package compare compares two releases of an API: schemas, or whole CustomResourceDefinitions with
// all their versions.
//
// A [Comparison] has the changes of the definition itself, of each version, and between the
// versions that B serves. [Levels], which a user may set, decide how serious a change is. The
// result is written as text, JSON or Markdown. Package diff compares two schemas and finds objects
// that show the differences.
package compare

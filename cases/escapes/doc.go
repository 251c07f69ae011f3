// Package escapes has the hand-written validators of eleven disagreements with a schema that reached
// users of public projects, reduced to the relevant code. The suites below cases/escapes name the package
// as a builtin. They have the schemas and the objects, and explain what was wrong.
package escapes

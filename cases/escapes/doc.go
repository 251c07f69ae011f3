// Package escapes has eleven hand-written validators that disagreed with a schema in releases of
// public projects, reduced to the relevant code. The suites below cases/escapes name the package as
// a builtin. They have the schemas and the objects, and explain what was wrong.
package escapes

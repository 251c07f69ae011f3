// Package source finds the schemas that users name on the command line: in a file with
// CustomResourceDefinitions, FILE@VERSION, a directory, a file with an OpenAPI v3 schema, a
// built-in kind, a Go type, or Go packages. Each [Schema] knows the lines of its places. Errors are
// mistakes in files, with file and line. [Differences] compares the markers of the versions of an
// API.
package source

// Package source finds the schemas that people name on the command line.
//
// What comes in are arguments: a file with CustomResourceDefinitions, FILE@VERSION, a
// directory, a file with an OpenAPI v3 schema, a built-in kind, a Go type, or Go packages. What
// comes out are Schemas, each with its lines. The errors are mistakes in files, with file and line.
//
// Left to others: compiling the schemas, and what is done with them.
package source

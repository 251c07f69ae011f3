// Package escapes holds hand-written validators, cut down to the point, of eleven
// disagreements with a schema that reached users of public projects.
//
// In go objects of the kinds of the suites below cases/escapes, which name this
// package as a builtin. Out come the errors that the project's own Go code gave. The
// schemas, the objects and what is to be learned from them stand in the suites.
package escapes

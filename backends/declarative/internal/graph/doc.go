// Package graph compiles an OpenAPI schema into a graph of nodes, one for each schema.
//
// A schema comes in with the definitions that its $refs name (Compile). Out comes the
// Node of the root, or all that is wrong with the schema, each mistake at its place. A
// node has the checks of its keywords (package keyword), its structure (required fields,
// junctors), its rules (package cel), and the nodes of the parts of a value. The graph
// has cycles where definitions have, and never changes once it is compiled.
//
// Visiting an object with it is left to package walk.
package graph

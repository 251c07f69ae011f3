// Package graph compiles an OpenAPI schema into a graph of nodes, one for each schema.
//
// Compile takes a schema and the definitions for its $refs. It returns the node of the root, or
// all mistakes of the schema with their places. A node has the checks of its keywords (package
// keyword), its structure (required fields, allOf, anyOf, oneOf and not), its rules (package cel),
// and the nodes of the parts of a value. The graph has a cycle for each recursive definition. It
// does not change after Compile.
//
// Package walk visits objects with the graph.
package graph

// Package skeleton compiles the structure that a schema declares, without its value
// validations (KEP-2335). Pruning (KEP-2332) and defaulting (KEP-575) are defined on this
// structure.
//
// [Compile] makes a graph of Nodes from a schema and the definitions that it refers to.
// Definitions may refer to each other in cycles, so the graph may have cycles.
//
// The package does not check that the schema is structural (package structural does).
package skeleton

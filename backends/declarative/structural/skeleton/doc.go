// Package skeleton compiles what a schema says about the structure of values, and
// nothing about which of them are valid: KEP-2335's schema without value
// validations. Pruning (KEP-2332) and defaulting (KEP-575) are defined on it.
//
// What comes in is a spec.Schema, with its definitions where it has references.
// What comes out is a graph of Nodes, with cycles where definitions have them.
//
// Left to others: whether the schema is structural (package structural), and what
// is done to objects (packages pruning and defaulting).
package skeleton

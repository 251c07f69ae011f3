// Package lang decides questions about the texts that regular expressions match.
//
// An Automaton is an expression whose texts can be followed character by character. A Pattern reports whether a text
// has a match, like package regexp but faster. Meet finds a text that two expressions match, Differ two texts of one
// expression that differ in a count. A Language is the set of texts that match several expressions and have a bounded
// length: it may be empty, or a part of another language.
package lang

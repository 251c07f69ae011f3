// Package celexpr reads, builds, changes and writes expressions of CEL.
//
// An expression is a tree of cel-go as it is written: macros such as has() and all() are calls, so a tree can be
// written again. [Parse] reads a text, [String] is the one printer. Functions whose names end in Of take an expression
// apart, and [Name], [Field], [Literal], [Call], [Method], [Not], [And], [Or] and [Has] build one. Trees are never
// changed: [Replace] and what stands on it return copies.
//
// What an expression means for values or schemas is left to others.
package celexpr

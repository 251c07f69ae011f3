// Package lint finds what is legal in a schema and unwise: what the API server
// takes and people regret later.
//
// What comes in is a schema that compiles. What comes out are Findings, in order of
// their places, each of a lint that says why it matters and what to do instead. The
// table of all lints is All.
//
// A finding is a place to look at, not a mistake: each lint can be left out by its
// name. Several come from disagreements between hand-written validation and schemas
// that reached users.
//
// Left to others: what the API server refuses (package structural), reading files, and
// giving findings their lines.
package lint

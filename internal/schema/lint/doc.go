// Package lint finds what is legal in a schema but unwise: the API server accepts it and people
// regret it later.
//
// [Check] takes a schema that compiles and returns [Finding]s sorted by place. Each belongs to a
// lint of the table [All], which explains why it matters and what to do instead.
//
// A finding is a place to look at, not a mistake, so each lint can be disabled by its name. Several
// come from disagreements between hand-written validation and schemas that reached users. Package
// structural reports what the API server refuses.
package lint

// Package lint finds unwise parts of a schema: the API server accepts them, and their authors
// regret them later.
//
// [Check] takes a schema that compiles and returns [Finding]s sorted by place. Each belongs to a
// lint in the table [All], which explains why it matters and what to do instead.
//
// A finding is not always a mistake, so each lint can be disabled by its name. Several lints come
// from disagreements between hand-written validation and schemas that reached users. Package
// structural reports what the API server refuses.
package lint

// Package defaulting fills the defaults of a schema into objects (KEP-575), as the
// API server does with custom resources after it pruned them, and after zero values
// were stripped where a native type's schema says so (KEP-4153,
// x-kubernetes-strip-zero).
//
// What comes in is a schema, once (Compile), and then objects as JSON values
// (Default). What comes out is the object with its defaults. The object that came in
// is never changed: what changes is copied, down to the change and no further, so an
// object that lacks nothing is given back as it is, without an allocation.
//
// Compile turns the skeleton of the schema into plans (plan.go) that name the fields
// in which, or below which, something may be filled in, and expands each default
// with the defaults inside of it (expand.go). A walk (walk.go) follows them.
// PruneDefaults (prune.go) drops from defaults what the schema does not declare.
//
// Left to others: pruning objects, and whether a default is valid (package
// structural).
package defaulting

// Package defaulting fills the defaults of a schema into objects (KEP-575), as the API
// server does with custom resources after pruning. If a native type's schema says so
// (x-kubernetes-strip-zero, KEP-4153), it removes zero values first.
//
// [Compile] compiles a schema once; [Defaulter.Default] then fills in the defaults of any
// number of objects. A default may have defaults inside it. [PruneDefaults] drops the
// parts of defaults that the schema does not declare.
//
// Objects are JSON values and are never changed. The result shares all unchanged parts
// with the object; if the object lacks nothing it is the object itself, and nothing is
// allocated.
//
// Defaulting does not prune objects (package pruning does) and does not check that a
// default is valid (package structural does).
package defaulting

// Package pruning drops the parts of objects that their schema does not declare (KEP-2332), as
// the API server does with custom resources before it defaults and validates them:
// unknown fields, null where the schema does not allow it, and unknown metadata of the
// object and of embedded resources.
//
// [Compile] compiles a schema once; [Pruner.Prune] then prunes any number of objects. Its
// [Result] has the pruned object, the paths that were dropped, and errors for metadata
// that cannot be read.
//
// Objects are JSON values and are never changed. The result shares all unchanged parts
// with the object; if there is nothing to prune it is the object itself, and nothing is
// allocated.
//
// Pruning does not check that the schema is structural (package structural does), keeps
// values of the wrong type for validation to report, and fills in no defaults (package
// defaulting does).
package pruning

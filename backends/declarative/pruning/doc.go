// Package pruning drops from objects what their schema does not declare (KEP-2332),
// as the API server does with custom resources before it defaults and validates
// them: unknown fields, null where it is not allowed, and what is unknown in the
// metadata of the object and of resources embedded in it.
//
// What comes in is a schema, once (Compile), and then objects as JSON values
// (Prune). What comes out is the pruned object with the paths that were dropped,
// and errors where metadata cannot be read. The object that came in is never
// changed: what changes is copied, down to the change and no further, so an object
// that has nothing to prune is given back as it is, without an allocation.
//
// Compile turns the skeleton of the schema into plans (plan.go), in which it is
// decided already what may be dropped where. A walk (walk.go) follows them.
// Metadata (metadata.go) is read as apimachinery reads it.
//
// Left to others: whether the schema is structural, a value of the wrong type (the
// proposal's third step, which the API server leaves to validation, as here), and
// defaults.
package pruning

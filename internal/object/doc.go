// Package object has paths in JSON objects, changes of what is at them, and the shrinker of objects that show something.
// Objects are those of encoding/json: map[string]any, []any and plain values. No function changes an object that it is
// given: results share the parts that are equal.
//
// Paths as texts, such as those of validation errors, are those of internal/fieldpath. What a schema says
// about a place is for the callers.
package object

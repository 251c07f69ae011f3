// Package view is how the declarative backend looks at an object.
//
// What comes in is a value.Value of structured-merge-diff: over JSON data
// (value.NewValueInterface) or over a typed Go object (value.NewValueReflect).
// What comes out is a View, a small struct that knows its kind. Every check of a
// kind in the backend is made here, because value.Value panics when it is asked
// for something that it is not.
//
// JSON data is seen directly, as map[string]any and []any, so that looking at it
// allocates nothing. A typed object is seen by its Go types (Types), whose fields are
// found out once, and read where it is in memory (memory.go). Any other value.Value is
// read through its interface.
//
// What null means is left to the callers: they ask Typed.
package view

// Package view is how the declarative backend looks at an object.
//
// What comes in is a value.Value of structured-merge-diff: over JSON data
// (value.NewValueInterface) or over a typed Go object (value.NewValueReflect).
// What comes out is a View, a small struct that knows its kind. Every check of a
// kind in the backend is made here, because value.Value panics when it is asked
// for something that it is not.
//
// A View of JSON data reads map[string]any and []any as they are, without allocation. A View
// of a typed object knows the Go type (Types), whose fields are found once, and reads fields
// where they are in memory (memory.go). The data of any other value.Value is read out once.
//
// The callers decide what null means: they ask Typed.
package view

// Package view reads the values of an object.
//
// Of turns a value.Value of structured-merge-diff into a View: a small struct that knows its
// kind. The value may be JSON data (value.NewValueInterface) or a typed Go object
// (value.NewValueReflect). A value.Value panics if it is asked for another kind; a View returns
// a zero value.
//
// A View of JSON data reads map[string]any and []any as they are, without allocation. A View
// of a typed object knows the Go type (Types), whose fields are found once, and reads fields
// where they are in memory (memory.go). The data of any other value.Value is read out once.
//
// The callers decide what null means: they ask Typed.
package view

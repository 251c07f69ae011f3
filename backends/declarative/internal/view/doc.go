// Package view reads the values of an object.
//
// Of turns a value.Value of structured-merge-diff into a View: a small struct that knows its
// kind. The value may be JSON data (value.NewValueInterface) or a typed Go object
// (value.NewValueReflect). A value.Value panics if it is asked for another kind; a View returns
// a zero value.
//
// A View of JSON data reads map[string]any and []any as they are, without allocation. A View of a
// typed object reads fields in memory (memory.go); its Go type is analyzed once (Types). Any other
// value.Value is converted to JSON data once.
//
// The callers decide what null means, depending on Typed.
package view

//go:build go1.22

// Package recorder is compiled into the tests of other modules and records the calls of
// instrumented functions.
//
// An instrumented function calls Start before its body, End with its results, and Close when it
// leaves. A test calls Test when it begins. Each call is written as a line of JSON (Line) when it
// ends, so a process that is killed loses at most the calls in flight. Each process writes its own
// file in the folder that the environment variable Folder names. Without the variable nothing is
// recorded.
//
// The package imports only the standard library, because every module can compile that. It
// therefore recognizes the types of Kubernetes by their shape: an object is a pointer to a struct,
// a field error is a struct with the fields Type, Field and Detail. Package corpus makes cases of
// the lines.
package recorder

// Package plan proves rules true without cel-go.
//
// Make turns a checked expression into a Plan: closures on Views. A Plan knows what most rules
// do: look at fields, compare scalars, loop over lists. It only answers "true", and only where
// cel-go would answer "true" too. In every other case, errors and false results included, the
// caller asks cel-go, which has the last word on all that a user sees. So a Plan may give up
// on each value and function that it does not know.
//
// A Plan adds up a cost that is never less than what cel-go counts (interpreter/runtimecost.go
// of cel-go, library/cost.go of k8s.io/apiserver/pkg/cel). As long as it is within the limits,
// nobody needs the exact cost.
//
// The table of functions in function.go says all that the engine knows of a CEL function.
//
// Without plans typed Pods take 90 times as long, and HTTPRoutes 27 times.
package plan

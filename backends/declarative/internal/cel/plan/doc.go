// Package plan proves rules true without cel-go.
//
// Make turns checked rules into a Plan: conditions whose tests are closures on Views. A Plan knows
// what most rules do: they read fields, compare scalars, loop over lists. It only answers "true", and
// only if cel-go would answer "true" as well. In every other case, including errors and false results,
// the caller asks cel-go, which decides everything that a user sees. So a Plan may give up on any value
// or function that it does not know.
//
// A Plan adds up an upper bound of the cost that cel-go counts (interpreter/runtimecost.go of cel-go,
// library/cost.go of k8s.io/apiserver/pkg/cel). If the bound is within the limits, the exact cost does
// not matter.
//
// The table in function.go has everything that the engine knows about the functions of CEL.
//
// Without plans, typed Pods take 90 times as long, and HTTPRoutes 27 times.
package plan

// Command upstreamlines measures how the one line of package harness works in the unit tests of
// Kubernetes' own validators, in the version that go.mod requires.
//
// It copies the packages pkg/apis/GROUP/validation of the module k8s.io/kubernetes to a temporary
// module, and puts the line around each call of a validation function that their tests make
// (insert.go): Harness.Compare, with the function's own arguments as the case. It prints a table:
// for each group, how many calls compared something, and how the schemas differ; with -v each cause
// of a difference, and why calls compared nothing. -least and -most make it fail, as in the gate.
//
// This project keeps nothing of upstream's code, and no call of a test changes its meaning: the
// line returns the result of the function.
package main

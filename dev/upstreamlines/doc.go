// Command upstreamlines measures how the one line of package harness works on the unit
// tests of Kubernetes' own validators, in the version that go.mod requires.
//
// What comes in are the packages pkg/apis/GROUP/validation of the module k8s.io/kubernetes.
// They are copied to a temporary module, and the line is put around each call of a
// validation function that their tests make (insert.go): Harness.Compare, with the
// function's own arguments as the case. What comes out is a table: for each group, how many
// calls compared something, and how the schemas differ; with -v each cause of a difference,
// and why calls compared nothing. -least and -most make it fail, as in the gate.
//
// Nothing of upstream's code is kept by this project, and no call of a test changes its
// meaning: the line gives back what the function returned.
package main

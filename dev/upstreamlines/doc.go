// Command upstreamlines measures how the one line of package harness works in the unit tests of
// Kubernetes' own validators, in the version that go.mod requires.
//
// It copies the packages pkg/apis/GROUP/validation of the module k8s.io/kubernetes to a temporary
// module, and wraps each call of a validation function in their tests (insert.go) with
// Harness.Compare, whose case has the arguments of the call. It prints how many calls of each group
// were compared, and how the schemas differ; with -v also each cause of a difference, and why calls
// were not compared. With -least and -most it fails, as CI does.
//
// This project keeps none of upstream's code. The tests behave as before, because the line returns
// the result of the function.
package main

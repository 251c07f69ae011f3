// Package staging reads released modules of Kubernetes with the go command.
//
// k8s.io/kubernetes requires its staging modules, such as k8s.io/api, at v0.0.0, a version that exists only inside
// its repository. Released, they are v0.N.P for Kubernetes v1.N.P. In comes a release, out go the requirements of it
// at versions that can be downloaded, and the go.mod of a module that builds programs of the release.
package staging

// Package release provides the validators of any release of Kubernetes as a native backend.
//
// [New] takes a release, such as v1.33.13. Its module is downloaded, and a program with the registry of the
// release, the code that its API server runs for a request, is built once into the cache of the user
// ([Options.Cache]). The program is a Go module of its own, which requires what the release requires, so two
// releases can be compared in one run. It has no storage and no admission: a request is decoded, defaulted,
// prepared and validated, as by kube-apiserver without plugins.
//
// The program finds its resources in the release itself ([Backend.Resources]), so kinds and versions that come
// and go need no list here. It speaks the protocol of package exec.
package release

// Package registry calls the registry strategies of Kubernetes, the code that the API server runs for a request.
// [NewTarget] and [Served] have its kinds. Package backends/native/kubernetes is its stable face.
package registry

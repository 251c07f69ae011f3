// Package e2e holds diffrun against a real kube-apiserver, kube-controller-manager, etcd and
// servers of buckets, built from their Go modules. `make e2e` runs its tests.
package e2e

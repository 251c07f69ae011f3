//go:build !slim

package main

import (
	"github.com/diffrun/diffrun/backends/native/cluster"
	"github.com/diffrun/diffrun/cases"
)

// openCluster opens the cluster of a kubeconfig.
func openCluster(of cases.ClusterOptions) (cases.Cluster, error) {
	return cluster.New(cluster.Options{Kubeconfig: of.Kubeconfig, Context: of.Context, Namespace: of.Namespace})
}

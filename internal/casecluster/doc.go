// Package casecluster answers the requests of the clients of webhooks: a webhook that reads the cluster finds the objects of a
// case there, and their Roles and bindings say what users may do. It needs no server: a Cluster is the transport of a
// client's configuration. A Starting is one for a command that has not started yet, which also writes. Package scaffold
// copies them into other modules, beside the program that serves their webhooks, so they depend on nothing of diffrun.
package casecluster

import _ "embed"

// Source is the text of cluster.go.
//
//go:embed cluster.go
var Source string

// RightsSource is the text of rights.go.
//
//go:embed rights.go
var RightsSource string

// StartingSource is the text of starting.go.
//
//go:embed starting.go
var StartingSource string

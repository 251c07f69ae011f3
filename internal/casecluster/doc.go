// Package casecluster answers the requests of the clients of webhooks, so that a webhook which reads
// the cluster finds the objects of a case there, and asks what users may do by its Roles and bindings. It needs no server: a Cluster is the transport of a
// client's configuration. Package scaffold copies it into other modules, beside the program that serves
// their webhooks, so it depends on nothing of diffrun.
package casecluster

import _ "embed"

// Source is the text of cluster.go, and RightsSource that of rights.go.
//
//go:embed cluster.go
var Source string

//go:embed rights.go
var RightsSource string

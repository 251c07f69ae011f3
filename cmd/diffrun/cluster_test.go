package main

import (
	"os"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/diffrun/diffrun/internal/fakecluster"
)

// startAPIServer starts a server with recorded answers and writes its kubeconfig: "apiserver
// FILE". At the end of the script nothing may be stored in it.
func startAPIServer(ts *testscript.TestScript, negated bool, args []string) {
	if negated || len(args) != 1 {
		ts.Fatalf("usage: apiserver FILE")
	}
	server := fakecluster.New(ts.Logf)
	ts.Defer(func() {
		if left := server.Stored(); len(left) > 0 {
			ts.Fatalf("the run left %s", strings.Join(left, ", "))
		}
		server.Close()
	})
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(server.Kubeconfig()), 0o600))
}

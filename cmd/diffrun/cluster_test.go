package main

import (
	"net/http"
	"os"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/diffrun/diffrun/internal/testing/fakecluster"
)

// startAPIServer starts a server with recorded answers and writes its kubeconfig: "apiserver
// FILE". It never answers an update of an object named hang, and creates the file "hanging" when one
// arrives. At the end of the script it must store no object.
func startAPIServer(ts *testscript.TestScript, negated bool, args []string) {
	if negated || len(args) != 1 {
		ts.Fatalf("usage: apiserver FILE")
	}
	server, ended := fakecluster.New(ts.Logf), make(chan struct{})
	hanging := ts.MkAbs("hanging")
	server.Before = func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Method != http.MethodPut || !strings.HasSuffix(r.URL.Path, "/hang") {
			return false
		}
		if err := os.WriteFile(hanging, nil, 0o600); err != nil {
			ts.Logf("%v", err)
		}
		<-ended
		return true
	}
	ts.Defer(func() {
		close(ended)
		if left := server.Stored(); len(left) > 0 {
			ts.Fatalf("the run left %s", strings.Join(left, ", "))
		}
		server.Close()
	})
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(server.Kubeconfig()), 0o600))
}

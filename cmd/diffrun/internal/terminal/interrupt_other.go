//go:build !unix

package terminal

import "os"

// exitBy ends the process with the status Interrupted.
func exitBy(os.Signal) { os.Exit(int(Interrupted)) }

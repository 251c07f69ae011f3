//go:build unix

package terminal

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// exitBy ends the process by the default action of the signal. The first process of a container has
// none, so it exits a moment later.
func exitBy(by os.Signal) {
	signal.Reset(by)
	_ = syscall.Kill(os.Getpid(), by.(syscall.Signal))
	time.Sleep(time.Second) // the signal may reach another thread, a moment later
	os.Exit(int(Interrupted))
}

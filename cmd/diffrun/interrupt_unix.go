//go:build unix

package main

import (
	"os"
	"os/signal"
	"syscall"
	"time"
)

// endBy ends the process as the signal would if nobody listened. The signal does not end
// the first process of a container, which exits a moment later.
func endBy(by os.Signal) {
	signal.Reset(by)
	_ = syscall.Kill(os.Getpid(), by.(syscall.Signal))
	time.Sleep(time.Second) // it is another thread that the signal ends, at any moment
	os.Exit(int(statusInterrupted))
}

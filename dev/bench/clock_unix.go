//go:build unix

package main

import (
	"syscall"
	"time"
)

// spent is how long processors have worked for this process: on what it calls and on
// collecting its garbage, beside it. What else runs on the machine is not in it.
func spent() time.Duration {
	var use syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &use); err != nil {
		panic(err) // the arguments are constant: it cannot fail
	}
	return time.Duration(use.Utime.Nano() + use.Stime.Nano())
}

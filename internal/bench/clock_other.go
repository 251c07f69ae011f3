//go:build !unix

package main

import "time"

var started = time.Now()

// spent is how long this process runs: what else runs on the machine is in it.
func spent() time.Duration { return time.Since(started) }

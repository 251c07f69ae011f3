//go:build !unix

package main

import "os"

// endBy ends the process with the status of one that was interrupted.
func endBy(os.Signal) { os.Exit(int(statusInterrupted)) }

//go:build !unix

package main

import "os"

// Whether a process is gone cannot be told here; what it left stays.

func hold(*os.File) {}

func removeStale(string) {}

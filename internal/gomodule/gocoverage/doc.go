// Package gocoverage reads Go's coverage data: which blocks of source files ran, and how often.
//
// [ReadProfile] reads the file of "go test -coverprofile", or the files that a program built with "go
// build -cover" writes to GOCOVERDIR. [NewLive] reads the counters of the running program, if it is
// such a program.
//
// The format of the counters is that of Go 1.20 to 1.26 (version 1 of internal/coverage in the standard
// library, which has no public reader). A test compares this reader with "go tool covdata". Any other
// version is an error.
package gocoverage

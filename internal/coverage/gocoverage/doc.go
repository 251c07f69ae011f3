// Package gocoverage reads what Go's own coverage counted.
//
// [ReadProfile] reads the file of "go test -coverprofile", and [ReadDirectory] the files that
// a program built with "go build -cover" leaves in GOCOVERDIR. [NewLive] reads the counters of
// the running program, if that is such a program. What comes out are the blocks of source
// files, with how often each ran. Which code stands in a block is left to others.
//
// The format of the counters is that of Go 1.20 to 1.26 (version 1 of internal/coverage in the
// standard library, which has no public reader). A test compares this one with "go tool
// covdata". Another version is an error, never a guess.
package gocoverage

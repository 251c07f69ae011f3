// Command upstream compares this project's validation with the unit tests of
// apiextensions-apiserver, in the version that go.mod requires.
//
// It captures the calls that those tests make while they run (package capture), or with -calls
// reads those that an earlier run kept. It prints a table of how many of them this project agrees
// with (package agreement), and with -v every call that compares different. It exits with status 1
// if agreement falls below the floors (floors.go).
//
// It does not cover cases that upstream's tests lack; the tests of backends/declarative compare
// those with backends/reference.
package main

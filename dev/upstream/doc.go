// Command upstream compares this project's validation with the unit tests of
// apiextensions-apiserver, in the version that go.mod requires.
//
// It captures the calls that those tests make while they run (package capture) or, with -calls,
// reads calls that an earlier run kept. It prints how many of them this project agrees with
// (package agreement), and with -v every call that differs. It exits with status 1 if agreement
// falls below the floors (floors.go).
//
// It does not cover cases that upstream's tests lack. The tests of backends/declarative compare
// those with backends/reference.
package main

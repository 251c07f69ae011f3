// Command upstream holds this project's validation against the unit tests of
// apiextensions-apiserver, in the version that go.mod requires.
//
// What comes in are the calls that those tests make, captured while they run (package
// capture), or with -calls those that an earlier run kept. What comes out is a table of
// how many of them this project agrees with (package agreement), with -v every call
// that compares different, and exit status 1 when agreement is below what it was
// (floors.go).
//
// Left to others: cases that upstream's tests do not have; the tests of
// backends/declarative hold those against backends/reference.
package main

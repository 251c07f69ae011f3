// Package capture runs the unit tests of apiextensions-apiserver and writes down the
// calls that they make: what went into the functions under test, and what came out.
//
// What comes in is the version of the module that go.mod requires (Run). What comes
// out are Calls. Nothing of upstream's code or cases is kept by this project: the
// module's sources are copied to a temporary folder, recorders (_recorders) are put
// beside the functions there, and the tests run on the copy with the dependencies of
// this project's go.mod.
//
// A recorder is a function with the name and the signature of the one that it
// records; it calls that by the name with "unrecorded" in front. Instrumenting
// (instrument.go) gives the original that name. A recorder whose original is gone is
// an error, as is one whose signature no longer fits: it does not compile.
//
// Left to others: what the calls say about this project's own validation (package
// agreement).
package capture

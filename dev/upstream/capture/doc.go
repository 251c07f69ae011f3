// Package capture runs the unit tests of apiextensions-apiserver and writes down the
// calls that they make: what went into the functions under test, and what came out.
//
// What comes in is the version of the module that go.mod requires (Run). What comes
// out are Calls. Nothing of upstream's code or cases is kept by this project.
// internal/gomodule/capture runs the tests on a copy of the module, with hand-written recorders
// (_recorders): validators of this module take schemas that are no JSON, which the
// general recorder cannot write down.
//
// A recorder whose original is gone is an error, as is one whose signature no longer
// fits: it does not compile.
//
// Left to others: what the calls say about this project's own validation (package
// agreement).
package capture

// Package capture runs the unit tests of apiextensions-apiserver and records the calls that they
// make: the inputs and outputs of the functions under test.
//
// Run tests the version of the module that go.mod requires, and returns Calls. This project keeps
// none of upstream's code or cases. The tests run on a copy of the module with hand-written
// recorders (_recorders), because its validators take schemas that are not JSON, which the recorder
// of internal/gomodule/capture cannot write. A recorder whose original is gone is an error. A
// recorder whose signature no longer fits does not compile.
//
// Package agreement compares the calls with this project's own validation.
package capture

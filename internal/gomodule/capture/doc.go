// Package capture records the calls of validators that the tests of a project make.
//
// Run runs a "go test" command as it was given, on sources that package instrument rewrote. An overlay
// (the flag -overlay) replaces the user's sources, so no file of the user is written. The Recording has
// the lines that package recorder wrote, and the functions that cannot be instrumented. Package corpus
// makes files of cases of the lines.
//
// The go command does not let an overlay replace files of the module cache. A module with functions to
// record is copied from there to the user's cache folder, and a copy of the user's go.mod (-modfile) or
// go.work replaces the module by the copy.
package capture

// Package capture records the calls of validators that the tests of a project make.
//
// In goes a "go test" command and what is to be recorded (Options). The command runs as it
// was given, on instrumented sources (package instrument) that the go command is shown in the
// place of the user's (its flag -overlay): no file of the user's tree is written. Out comes a
// Recording: the lines that package recorder wrote, how many calls were made, and the
// functions that cannot be instrumented.
//
// The go command does not let an overlay replace files of the module cache. A module from
// there with functions to record is copied to a temporary folder, and a go.mod beside the
// user's (-modfile, or a go.work) replaces it with the copy.
//
// The lines become files of cases in package corpus.
package capture

// Package gotool runs the go command in a user's module with changed files. An overlay (the flag
// -overlay) replaces and adds files without writing to the module.
package gotool

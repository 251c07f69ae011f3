// Package gotool runs the go command in a user's module, on other files than those of the module: an
// overlay (the flag -overlay) replaces and adds files without writing there.
package gotool

// Package terminal connects a command to the process around it: stdin, stdout and stderr, the files
// that its flags name, interrupts, and the exit status.
//
// Text reaches a terminal only through [Terminal.Printf] or a guarded writer, so that nothing in a
// user's file can act on it. [Files] refuses an output that is also an input.
package terminal

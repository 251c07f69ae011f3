package main

import (
	"context"
	"os"
	"time"

	"github.com/diffrun/diffrun"
)

func main() {
	command := program{
		stdin:    os.Stdin,
		stdout:   newTerminal(takeStdout()),
		stderr:   newTerminal(os.Stderr),
		bundle:   diffrun.Bundle(),
		builtins: builtins(),
		now:      time.Now,
	}
	os.Exit(command.execute(context.Background(), os.Args[1:]))
}

// takeStdout keeps stdout for results: a validator that prints, or a library
// that logs there, writes to stderr from now on.
func takeStdout() *os.File {
	stdout := os.Stdout
	os.Stdout = os.Stderr
	return stdout
}

package main

import (
	"context"
	"os"
	"time"

	"github.com/diffrun/diffrun"
)

func main() {
	command := program{
		stdout:   os.Stdout,
		stderr:   os.Stderr,
		bundle:   diffrun.Bundle(),
		builtins: kubernetesBuiltins(),
		now:      time.Now,
	}
	os.Exit(command.execute(context.Background(), os.Args[1:]))
}

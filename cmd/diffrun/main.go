package main

import (
	"context"
	"os"
	"time"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/run"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
)

func main() {
	command := program{Environment: run.Environment{
		Console:   &terminal.Console{Stdin: os.Stdin, Stdout: terminal.New(reserveStdout()), Stderr: terminal.New(os.Stderr)},
		Bundle:    bundle(),
		Builtins:  builtins(),
		Policies:  policyLoader(),
		Cluster:   openCluster,
		Kustomize: kustomize,
		LeftOut:   leftOut,
		Now:       time.Now,
	}}
	os.Exit(command.execute(context.Background(), os.Args[1:]))
}

// reserveStdout returns stdout and reserves it for results: validators and libraries that print there
// write to stderr from now on.
func reserveStdout() *os.File {
	stdout := os.Stdout
	os.Stdout = os.Stderr
	return stdout
}

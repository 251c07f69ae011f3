package run

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"strings"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
)

// copyVariable is set in the environment of a copy of diffrun that counts.
const copyVariable = "DIFFRUN_COUNTS"

// runCopy builds a copy of diffrun that counts what packages execute, and runs it with the same
// arguments. The error has its exit status.
func (e *Environment) runCopy(ctx context.Context, packages []string) error {
	if os.Getenv(copyVariable) != "" {
		return fmt.Errorf("a copy of diffrun was built to count %s, and does not: are these the packages of the suite's validators?",
			strings.Join(packages, ", "))
	}
	e.Warn("diffrun: building a copy of diffrun that counts what %d packages execute; the first time this takes minutes\n", len(packages))
	built, err := buildCopy(ctx, packages)
	if err != nil {
		return err
	}
	directory, err := os.MkdirTemp("", "diffrun-coverage-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(directory)
	run := exec.Command(built, e.Args...)
	run.Env = append(os.Environ(), copyVariable+"=1", goCoverDir+"="+directory)
	run.Stdin, run.Stdout, run.Stderr = e.Stdin, e.Stdout.File, e.Stderr.File
	signals := make(chan os.Signal, 2) // they end the copy, which ends this process
	signal.Notify(signals, terminal.Signals()...)
	defer signal.Stop(signals)
	if err := run.Start(); err != nil {
		return fmt.Errorf("the copy of diffrun cannot be started: %w", err)
	}
	go func() {
		for got := range signals {
			if got != os.Interrupt { // a terminal sends it to the copy, too
				_ = run.Process.Signal(got)
			}
		}
	}()
	err = run.Wait()
	signal.Stop(signals)
	close(signals)
	ended := (*exec.ExitError)(nil)
	switch {
	case err == nil:
		return terminal.Exit(terminal.OK)
	case errors.As(err, &ended) && ended.ExitCode() >= 0:
		return terminal.Exit(terminal.Status(ended.ExitCode()))
	}
	return fmt.Errorf("the copy of diffrun: %w", err)
}

// buildCopy builds the copy in the user's cache, where the go command builds it again only if something
// changed.
func buildCopy(ctx context.Context, packages []string) (string, error) {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Path == "" {
		return "", errors.New("this program does not say which package it was built from, so it cannot build a copy of itself; " +
			"name profiles with --profile")
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", err
	}
	here, err := os.Getwd()
	if err != nil {
		return "", err
	}
	of := sha256.Sum256([]byte(strings.Join(append([]string{here}, packages...), "\x00")))
	built := filepath.Join(cache, "diffrun", fmt.Sprintf("counting-%x", of[:8]), filepath.Base(info.Path))
	// The go command counts nothing if the main package is not among the counted ones.
	build := exec.CommandContext(ctx, "go", "build", "-cover", "-covermode=atomic",
		"-coverpkg="+strings.Join(append(packages, info.Path), ","), "-o", built, info.Path)
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("diffrun cannot build a copy of itself that counts: %w\n%s\nRun it in a module that requires "+
			"github.com/diffrun/diffrun (go get -tool %s), with the go command in PATH; or name profiles with --profile", err,
			strings.TrimSpace(string(out)), info.Path)
	}
	return built, nil
}

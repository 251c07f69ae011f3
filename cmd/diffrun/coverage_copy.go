package main

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
)

// copyVariable marks the environment of a copy of diffrun that counts.
const copyVariable = "DIFFRUN_COUNTS"

// runCopy builds a copy of diffrun that counts what packages execute, and runs it with the same
// arguments. The error holds its exit status.
func (p *program) runCopy(ctx context.Context, packages []string) error {
	if os.Getenv(copyVariable) != "" {
		return fmt.Errorf("a copy of diffrun was built to count %s, and does not: are these the packages of the suite's validators?", strings.Join(packages, ", "))
	}
	p.warn("diffrun: building a copy of diffrun that counts what %d packages execute; the first time this takes minutes\n", len(packages))
	built, err := p.buildCopy(ctx, packages)
	if err != nil {
		return err
	}
	leavings, err := os.MkdirTemp("", "diffrun-coverage-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(leavings)
	run := exec.Command(built, p.args...)
	run.Env = append(os.Environ(), copyVariable+"=1", goCoverDir+"="+leavings)
	run.Stdin, run.Stdout, run.Stderr = p.stdin, p.stdout.file, p.stderr.file
	signals := make(chan os.Signal, 2) // the copy ends by them, and then this process
	signal.Notify(signals, interrupts()...)
	defer signal.Stop(signals)
	if err := run.Start(); err != nil {
		return fmt.Errorf("the copy of diffrun cannot be started: %w", err)
	}
	go func() {
		for got := range signals {
			if got != os.Interrupt { // which a terminal sends to the copy as well
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
		return &exitError{status: statusOK} // the copy has said all
	case errors.As(err, &ended) && ended.ExitCode() >= 0:
		return &exitError{status: status(ended.ExitCode())}
	}
	return fmt.Errorf("the copy of diffrun: %w", err)
}

// buildCopy gives the copy, in the user's cache: the go command builds it again only if
// something changed.
func (p *program) buildCopy(ctx context.Context, packages []string) (string, error) {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Path == "" {
		return "", errors.New("this program does not say which package it was built from, so it cannot build a copy of itself; name profiles with --profile")
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
	// The go command counts nothing if the main package is not among those that are counted.
	build := exec.CommandContext(ctx, "go", "build", "-cover", "-covermode=atomic", "-coverpkg="+strings.Join(append(packages, info.Path), ","), "-o", built, info.Path)
	if out, err := build.CombinedOutput(); err != nil {
		return "", fmt.Errorf("diffrun cannot build a copy of itself that counts: %w\n%s\nRun it in a module that requires github.com/diffrun/diffrun (go get -tool %s), with the go command in PATH; or name profiles with --profile", err, strings.TrimSpace(string(out)), info.Path)
	}
	return built, nil
}

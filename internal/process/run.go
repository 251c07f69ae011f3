package process

import (
	"bytes"
	"errors"
	"os/exec"
)

// Output runs a command to its end and returns what it prints to stdout. The error is what it prints to stderr.
func Output(command *exec.Cmd) ([]byte, error) {
	var stderr bytes.Buffer
	command.Stderr = &stderr
	out, err := command.Output()
	if text := bytes.TrimSpace(stderr.Bytes()); err != nil && len(text) > 0 {
		err = errors.New(string(text))
	}
	return out, err
}

// InGroup makes the end of the context of a command end its children too.
func InGroup(command *exec.Cmd) {
	ownGroup(command)
	command.Cancel = func() error { killGroup(command.Process); return nil }
	command.WaitDelay = grace
}

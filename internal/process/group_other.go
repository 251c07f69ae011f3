//go:build !unix

package process

import (
	"os"
	"os/exec"
)

// ownGroup does nothing: there are no process groups.
func ownGroup(*exec.Cmd) {}

// killGroup kills only the child, which may have ended before.
func killGroup(leader *os.Process) { _ = leader.Kill() }

//go:build !unix

package exec

import (
	"os"
	osexec "os/exec"
)

// ownGroup does nothing: there are no process groups.
func ownGroup(*osexec.Cmd) {}

// killGroup kills only the child, which may have ended before.
func killGroup(leader *os.Process) { _ = leader.Kill() }

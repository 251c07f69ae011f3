//go:build unix

package exec

import (
	"os"
	osexec "os/exec"
	"syscall"
)

// ownGroup makes the child the leader of a process group: what it starts can
// be ended with it, and an interrupt at the terminal reaches it only through
// us.
func ownGroup(command *osexec.Cmd) {
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

// killGroup ends the child and all that it started. There may be nothing left
// to end.
func killGroup(leader *os.Process) { _ = syscall.Kill(-leader.Pid, syscall.SIGKILL) }

package controlplane

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// process is a running server. Its output goes to a file.
type process struct {
	name   string
	output string // the file
	cmd    *exec.Cmd
	ended  chan struct{}
}

// start starts a program whose output goes to a file.
func start(name, output, program string, args ...string) (*process, error) {
	file, err := os.Create(output)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	cmd := exec.Command(program, args...)
	cmd.Stdout, cmd.Stderr = file, file
	if err := cmd.Start(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	p := &process{name: name, output: output, cmd: cmd, ended: make(chan struct{})}
	go func() {
		_ = cmd.Wait() // the output says why it ended
		close(p.ended)
	}()
	return p, nil
}

// stop asks the process to end, and kills it after a while.
func (p *process) stop() {
	_ = p.cmd.Process.Signal(syscall.SIGTERM) // fails if it has ended
	select {
	case <-p.ended:
	case <-time.After(15 * time.Second):
		p.kill()
	}
}

// kill ends the process at once.
func (p *process) kill() {
	_ = p.cmd.Process.Kill() // fails if it has ended
	<-p.ended
}

// lastLines returns the end of the output, for an error.
func (p *process) lastLines() string {
	const lines = 20
	text, err := os.ReadFile(p.output)
	if err != nil {
		return err.Error()
	}
	all := strings.Split(strings.TrimSpace(string(text)), "\n")
	return strings.Join(all[max(0, len(all)-lines):], "\n")
}

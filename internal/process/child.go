package process

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"sync"
	"time"

	"github.com/diffrun/diffrun/internal/text/oneline"
)

// grace is how long a child may take to exit by itself.
const grace = 2 * time.Second

// Command is a program that reads and writes lines.
type Command struct {
	Program string
	Args    []string
	// Dir is its working directory; if empty, that of this process.
	Dir string
	// Env is added to the environment of this process, as KEY=value.
	Env []string
	// MaxLine is the maximum number of bytes of a line that it prints; zero: any.
	MaxLine int
	// Unasked is called with a line that it prints without a question; Ended when it was killed. Both are optional.
	Unasked func(Line)
	Ended   func()
}

// Child is a running program. It is asked one question at a time.
type Child struct {
	// Stderr is the end of what it writes to stderr.
	Stderr Tail

	of      Command
	command *exec.Cmd
	stdin   io.WriteCloser
	lines   chan Line     // its output, then an error
	atEnd   *Line         // the last line, if it was read before a question
	ended   chan struct{} // closed when it has exited and stderr is complete
	exit    error         // its exit error; set when ended is closed
	kill    func()        // kills its process group and waits for that
}

// Line is one line that a child printed, without the newline, or the reason why the output ended.
type Line struct {
	Text []byte
	Err  error // io.EOF at the end of the output

	after []byte // the output after the line by then, trimmed
}

// Start runs a program. It makes the pipes itself, so that a grandchild that holds them open
// cannot hide the death of the child.
func Start(of Command) (*Child, error) {
	stdout, stdoutOfChild, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	stderr, stderrOfChild, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, stdout.Close(), stdoutOfChild.Close())
	}
	c := &Child{of: of, command: exec.Command(of.Program, of.Args...), lines: make(chan Line), ended: make(chan struct{})}
	c.command.Dir, c.command.Env = of.Dir, slices.Concat(os.Environ(), of.Env)
	c.command.Stdout, c.command.Stderr = stdoutOfChild, stderrOfChild
	ownGroup(c.command)
	if c.stdin, err = c.command.StdinPipe(); err == nil {
		err = c.command.Start()
	}
	err = errors.Join(err, stdoutOfChild.Close(), stderrOfChild.Close())
	if err != nil {
		return nil, errors.Join(err, stdout.Close(), stderr.Close())
	}
	killed := make(chan struct{})
	go c.watch(stdout, stderr, killed)
	c.kill = sync.OnceFunc(func() {
		close(killed)
		select {
		case <-c.ended: // its PID may belong to a different process by now
		default:
			killGroup(c.command.Process)
			<-c.ended
		}
		if of.Ended != nil {
			of.Ended()
		}
	})
	return c, nil
}

// watch reads the output of the child, and waits for its exit.
func (c *Child) watch(stdout, stderr *os.File, killed <-chan struct{}) {
	var errorsOf, answers sync.WaitGroup
	errorsOf.Go(func() { _, _ = io.Copy(&c.Stderr, stderr) }) // ends with the child
	answers.Go(func() { c.readLines(stdout, killed) })
	exit := c.command.Wait()
	killGroup(c.command.Process) // its children must not outlive it
	// A process that left the group may still hold the pipes.
	deadline := time.Now().Add(grace)
	_, _ = stdout.SetReadDeadline(deadline), stderr.SetReadDeadline(deadline)
	errorsOf.Wait()
	c.exit = exit
	close(c.ended)
	answers.Wait() // until the last line is taken
	_, _ = stdout.Close(), stderr.Close()
}

// readLines sends each line to c.lines when it is asked for.
func (c *Child) readLines(stdout io.Reader, killed <-chan struct{}) {
	reader := bufio.NewReaderSize(stdout, PipeSize) // holds all that was printed at once
	for {
		next := c.readLine(reader)
		if next.Err == nil && len(bytes.TrimSpace(next.Text)) == 0 {
			continue // a blank line says nothing
		}
		if ahead, _ := reader.Peek(reader.Buffered()); next.Err == nil {
			next.after = slices.Clone(bytes.TrimSpace(ahead))
		}
		select {
		case c.lines <- next:
		case <-killed:
			return
		}
		if next.Err != nil {
			return
		}
	}
}

// PipeSize is the capacity of a pipe on Linux.
const PipeSize = 64 << 10

func (c *Child) readLine(reader *bufio.Reader) Line {
	var text []byte
	for {
		part, err := reader.ReadSlice('\n')
		text = append(text, part...)
		switch {
		case err == nil:
			return Line{Text: text[:len(text)-1]}
		case c.of.MaxLine > 0 && len(text) > c.of.MaxLine:
			return Line{Err: fmt.Errorf("it printed a line of more than %d MiB", c.of.MaxLine>>20)}
		case errors.Is(err, bufio.ErrBufferFull):
		case len(text) > 0:
			return Line{Err: fmt.Errorf("its output ended within a line: %s", oneline.Beginning(text))}
		default:
			return Line{Err: io.EOF}
		}
	}
}

// Send writes a line to stdin, in the background. The channel has the error of writing.
func (c *Child) Send(line []byte) <-chan error {
	written := make(chan error, 1)
	go func() {
		_, err := c.stdin.Write(slices.Concat(line, []byte{'\n'}))
		written <- err
	}()
	return written
}

// Next waits for the next line that the child prints. The error describes how it ended, or what it did instead.
func (c *Child) Next(ctx context.Context) (Line, error) {
	select {
	case next := <-c.lines:
		return next, c.ending(ctx, next.Err)
	case <-ctx.Done():
		return Line{}, fmt.Errorf("it did not answer: %w", context.Cause(ctx))
	}
}

// ending describes how the child ended, or what it did instead.
func (c *Child) ending(ctx context.Context, why error) error {
	if !errors.Is(why, io.EOF) {
		return why
	}
	timer := time.NewTimer(grace)
	defer timer.Stop()
	select {
	case <-c.ended:
	case <-timer.C:
		return errors.New("it closed its stdout, and went on")
	case <-ctx.Done():
		return fmt.Errorf("it closed its stdout: %w", context.Cause(ctx))
	}
	if c.exit == nil {
		return errors.New("it ended without an answer (exit status 0)")
	}
	return fmt.Errorf("it ended without an answer (%w)", c.exit)
}

// After returns what a child has printed after a line by now, without waiting; nil: nothing.
func (c *Child) After(line Line) []byte {
	if len(line.after) > 0 {
		return line.after
	}
	select {
	case next := <-c.lines:
		if next.Err == nil {
			return next.Text
		}
		c.atEnd = &next
	default:
	}
	return nil
}

// Ready reports whether the child, which is idle, can be asked again: it runs and printed nothing since its answer.
func (c *Child) Ready() bool {
	if c.atEnd != nil {
		c.report(*c.atEnd)
		return false
	}
	select {
	case next := <-c.lines:
		c.report(next)
		return false
	default:
	}
	select {
	case <-c.ended:
		c.report(<-c.lines) // the output before, or the end
		return false
	default:
		return true
	}
}

// report passes a line on that the child printed without a question, unless it is the end of the output.
func (c *Child) report(unasked Line) {
	if !errors.Is(unasked.Err, io.EOF) && c.of.Unasked != nil {
		c.of.Unasked(unasked)
	}
}

// Finish lets the child, which is idle, exit by itself within the grace period. Only the first line that it prints
// without a question is reported.
func (c *Child) Finish() {
	defer c.Kill()
	_ = c.stdin.Close() // may be closed already
	if c.atEnd != nil {
		c.report(*c.atEnd)
		return
	}
	timer := time.NewTimer(grace)
	defer timer.Stop()
	for first := true; ; first = false {
		select {
		case next := <-c.lines: // keep reading, so that the child does not block
			if first {
				c.report(next)
			}
			if next.Err != nil {
				return
			}
		case <-timer.C:
			return
		}
	}
}

// Kill kills the child and its process group, and waits for that. It may be called again.
func (c *Child) Kill() { c.kill() }

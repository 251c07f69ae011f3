package exec

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	osexec "os/exec"
	"slices"
	"sync"
	"time"

	"github.com/diffrun/diffrun/internal/admission"
)

// grace is how long a child may take to exit by itself.
const grace = 2 * time.Second

// child is a running validator. It is asked one question at a time.
type child struct {
	command *osexec.Cmd
	stdin   io.WriteCloser
	lines   chan line           // its output, then an error
	held    *line               // a line that was read too early
	last    *admission.Question // the last one answered; nil: none
	heard   func()              // called with each line that it prints; may be nil
	stderr  *tail               // the end of its stderr
	ended   chan struct{}       // closed when it has exited and stderr is complete
	exit    error               // its exit error; set when ended is closed
	kill    func()              // kills its process group and waits for that
	// logsNoStack is true after a panic whose stack it did not log.
	logsNoStack bool
	// counters count what it executes; nil: it does not count.
	counters *counters
}

// line is one line that a child printed, without the newline, or the reason why there are no more.
type line struct {
	text []byte
	more []byte // the output after the line by then, trimmed
	err  error
}

// start runs the program. It makes the pipes itself, so that a grandchild that holds them open
// cannot hide the death of the child.
func start(program string, args []string, options Options, counted *counters) (*child, error) {
	stdout, stdoutOfChild, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	stderr, stderrOfChild, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, stdout.Close(), stdoutOfChild.Close())
	}
	c := &child{command: osexec.Command(program, args...), lines: make(chan line), stderr: &tail{}, ended: make(chan struct{}), counters: counted}
	c.command.Dir, c.command.Env = options.Dir, slices.Concat(os.Environ(), options.Env, counted.env())
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
		_ = counted.close() // a temporary file
	})
	return c, nil
}

// watch reads the output of the child, and waits for its exit.
func (c *child) watch(stdout, stderr *os.File, killed <-chan struct{}) {
	var listening, reading sync.WaitGroup
	listening.Go(func() { _, _ = io.Copy(c.stderr, stderr) }) // ends with the child
	reading.Go(func() { c.readLines(stdout, killed) })
	exit := c.command.Wait()
	killGroup(c.command.Process) // its children must not outlive it
	// A process that left the group may still hold the pipes.
	deadline := time.Now().Add(grace)
	_, _ = stdout.SetReadDeadline(deadline), stderr.SetReadDeadline(deadline)
	listening.Wait()
	c.exit = exit
	close(c.ended)
	reading.Wait() // until the last line is taken
	_, _ = stdout.Close(), stderr.Close()
}

// readLines sends each line to c.lines when it is asked for.
func (c *child) readLines(stdout io.Reader, killed <-chan struct{}) {
	reader := bufio.NewReaderSize(stdout, pipeSize) // holds all that was printed at once
	for {
		next := readLine(reader)
		if next.err == nil && len(bytes.TrimSpace(next.text)) == 0 {
			continue // a blank line says nothing
		}
		if ahead, _ := reader.Peek(reader.Buffered()); next.err == nil {
			next.more = slices.Clone(bytes.TrimSpace(ahead))
		}
		select {
		case c.lines <- next:
		case <-killed:
			return
		}
		if next.err != nil {
			return
		}
	}
}

// pipeSize is the capacity of a pipe on Linux.
const pipeSize = 64 << 10

func readLine(reader *bufio.Reader) line {
	var text []byte
	for {
		part, err := reader.ReadSlice('\n')
		text = append(text, part...)
		switch {
		case err == nil:
			return line{text: text[:len(text)-1]}
		case len(text) > admission.MaxResponse:
			return line{err: fmt.Errorf("it printed a line of more than %d MiB", admission.MaxResponse>>20)}
		case errors.Is(err, bufio.ErrBufferFull):
		case len(text) > 0:
			return line{err: fmt.Errorf("its output ended within a line: %s", admission.Beginning(text))}
		default:
			return line{err: io.EOF}
		}
	}
}

// look returns what an idle child printed unasked, nil if nothing, and reports whether it can be
// asked again.
func (c *child) look() (stray *line, ready bool) {
	if c.held != nil {
		return c.held.unlessEnd(), false
	}
	select {
	case next := <-c.lines:
		return next.unlessEnd(), false
	default:
	}
	select {
	case <-c.ended:
		next := <-c.lines // the output before, or the end
		return next.unlessEnd(), false
	default:
		return nil, true
	}
}

// unlessEnd returns a line, or nil at the end of the output.
func (l line) unlessEnd() *line {
	if errors.Is(l.err, io.EOF) {
		return nil
	}
	return &l
}

// errLate reports a second answer to the previous question.
var errLate = errors.New("it answered the question before once more")

// answer asks a question and reads the answer. After an error the child is out of step and cannot
// be used again.
func (c *child) answer(ctx context.Context, q *admission.Question) (admission.Decision, error) {
	wrote, logged := make(chan error, 1), c.stderr.length()
	go func() {
		_, err := c.stdin.Write(append(q.Body, '\n'))
		wrote <- err
	}()
	var response line
	select {
	case response = <-c.lines:
	case <-ctx.Done():
		return admission.Decision{}, fmt.Errorf("it did not answer: %w", context.Cause(ctx))
	}
	if response.err != nil {
		return admission.Decision{}, c.ending(ctx, response.err)
	}
	if c.heard != nil {
		c.heard()
	}
	answer, err := q.Read(response.text)
	if other := (*admission.OtherRequestError)(nil); errors.As(err, &other) && c.last != nil && c.last.UID == other.UID {
		c.held = &response
		return admission.Decision{}, errLate
	}
	select {
	case err := <-wrote:
		if err != nil {
			return admission.Decision{}, fmt.Errorf("it answered before it had read the request, and reads no more: %w", err)
		}
	case <-ctx.Done():
		return admission.Decision{}, fmt.Errorf("it answered before it had read the request: %w", context.Cause(ctx))
	}
	switch {
	case err == nil:
		err = c.more(response)
	case !bytes.HasPrefix(bytes.TrimSpace(response.text), []byte("{")): // a banner or a log
		err = fmt.Errorf("%w; a program prints only its answers to stdout, and everything else to stderr", err)
	}
	if err != nil {
		return admission.Decision{}, err
	}
	c.last = q
	if answer.Panicked() {
		answer.PanickedAt(c.panicPlace(ctx, logged))
	}
	return answer, nil
}

// patience is how long the stack of a panic, which is written before the answer, may take from one pipe to this process.
const patience = time.Second

// panicPlace returns the place of the panic that the child logged since its stderr had so many bytes; empty: it logs none.
func (c *child) panicPlace(ctx context.Context, since int64) string {
	if c.logsNoStack {
		return ""
	}
	for began := time.Now(); ; {
		if place := c.stderr.panicPlace(since); place != "" {
			return place
		}
		if time.Since(began) > patience || sleep(ctx, 5*time.Millisecond) != nil {
			c.logsNoStack = true
			return ""
		}
	}
}

// more returns an error if a child printed more than its answer.
func (c *child) more(response line) error {
	more := response.more
	if len(more) == 0 {
		select {
		case next := <-c.lines:
			if next.err != nil {
				c.held = &next
				return nil
			}
			more = next.text
		default:
			return nil
		}
	}
	return fmt.Errorf("it printed more than its answer: %s", admission.Beginning(more))
}

// ending describes how the child ended, or what it did instead.
func (c *child) ending(ctx context.Context, why error) error {
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

// lastWords returns the end of the stderr of a killed child.
func (c *child) lastWords() string {
	words := c.stderr.String()
	if words == "" {
		return "; it printed nothing on stderr"
	}
	return "; on stderr:\n" + words
}

// end lets the child exit by itself within the grace period, and returns the first line that it
// printed unasked, or nil.
func (c *child) end() (stray *line) {
	defer c.kill()
	_ = c.stdin.Close() // may be closed already
	timer := time.NewTimer(grace)
	defer timer.Stop()
	if c.held != nil {
		return c.held.unlessEnd() // no more lines follow
	}
	for {
		select {
		case next := <-c.lines: // keep reading, so that the child does not block
			if stray == nil {
				stray = next.unlessEnd()
			}
			if next.err != nil {
				return stray
			}
		case <-timer.C:
			return stray
		}
	}
}

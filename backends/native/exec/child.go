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

// grace is how long a child may take to end by itself.
const grace = 2 * time.Second

// child is a running validator. It is asked one question at a time.
type child struct {
	command *osexec.Cmd
	stdin   io.WriteCloser
	lines   chan line           // what it prints, then an error
	held    *line               // one that was taken from lines too early
	last    *admission.Question // the one that it answered last; nil: none
	stderr  *tail               // what it says to people
	ended   chan struct{}       // closed when it has ended and nothing more comes
	exit    error               // how it ended; set when ended is closed
	kill    func()              // ends it with its group, and waits for that
}

// line is one line that a child printed, without the newline, or why there
// are no more.
type line struct {
	text []byte
	more []byte // what it had printed behind the line by then, blank lines apart
	err  error
}

// start runs the program. Its pipes are files of our own, so that a grandchild
// that holds them open does not keep us from seeing that the child has died.
func start(program string, options Options) (*child, error) {
	stdout, stdoutOfChild, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	stderr, stderrOfChild, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, stdout.Close(), stdoutOfChild.Close())
	}
	c := &child{command: osexec.Command(program, options.Command[1:]...), lines: make(chan line), stderr: &tail{}, ended: make(chan struct{})}
	c.command.Dir, c.command.Env = options.Dir, slices.Concat(os.Environ(), options.Env)
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
		case <-c.ended: // its number may be that of another process by now
		default:
			killGroup(c.command.Process)
			<-c.ended
		}
	})
	return c, nil
}

// watch reads what the child says, and waits for its end.
func (c *child) watch(stdout, stderr *os.File, killed <-chan struct{}) {
	var listening, reading sync.WaitGroup
	listening.Go(func() { _, _ = io.Copy(c.stderr, stderr) }) // ends with the child
	reading.Go(func() { c.readLines(stdout, killed) })
	exit := c.command.Wait()
	killGroup(c.command.Process) // what it started must not outlive it
	// What left the group may still hold the pipes.
	deadline := time.Now().Add(grace)
	_, _ = stdout.SetReadDeadline(deadline), stderr.SetReadDeadline(deadline)
	listening.Wait()
	c.exit = exit
	close(c.ended)
	reading.Wait() // for somebody to take the last line
	_, _ = stdout.Close(), stderr.Close()
}

// readLines hands on one line after the other, each when it is asked for.
func (c *child) readLines(stdout io.Reader, killed <-chan struct{}) {
	reader := bufio.NewReaderSize(stdout, pipeSize) // all that was printed at once
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

// pipeSize is how much a pipe holds on Linux.
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

// look gives what an idle child printed though nobody had asked, nil for nothing, and says
// whether it can be asked again.
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
		next := <-c.lines // what it printed before, or the end
		return next.unlessEnd(), false
	default:
		return nil, true
	}
}

// unlessEnd gives a line unless it is only the end of all lines.
func (l line) unlessEnd() *line {
	if errors.Is(l.err, io.EOF) {
		return nil
	}
	return &l
}

// errLate says that a line is another answer to the question before.
var errLate = errors.New("it answered the question before once more")

// answer asks a question and reads the answer. After an error the child is out
// of step, and of no more use.
func (c *child) answer(ctx context.Context, q *admission.Question) (admission.Decision, error) {
	wrote := make(chan error, 1)
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
	if err == nil {
		err = c.more(response)
	}
	if err != nil {
		return admission.Decision{}, err
	}
	c.last = q
	return answer, nil
}

// more finds what a child printed together with its answer.
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

// ending says how the child ended, or what it did instead.
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

// lastWords gives the end of the stderr of a child that was killed.
func (c *child) lastWords() string {
	words := c.stderr.String()
	if words == "" {
		return "; it said nothing on stderr"
	}
	return "; on stderr:\n" + words
}

// end lets the child end by itself, for a while, and gives the first line that it printed
// though nobody had asked; nil: none.
func (c *child) end() (stray *line) {
	defer c.kill()
	_ = c.stdin.Close() // it may have closed it before
	timer := time.NewTimer(grace)
	defer timer.Stop()
	if c.held != nil {
		return c.held.unlessEnd() // it says no more
	}
	for {
		select {
		case next := <-c.lines: // a child must not hang because nobody reads
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

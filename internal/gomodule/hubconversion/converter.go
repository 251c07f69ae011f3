package hubconversion

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	kjson "sigs.k8s.io/json"

	"github.com/diffrun/diffrun/internal/hub"
)

// defaultPatience is how long one conversion may take. Conversion methods copy fields.
const defaultPatience = 10 * time.Second

// Converter converts objects in child processes. It implements customresource.Converter. Concurrent
// conversions run in separate processes, so one that hangs does not delay others. Close it after the
// last conversion.
type Converter struct {
	folder, program string
	patience        atomic.Int64 // a time.Duration

	mutex  sync.Mutex
	idle   []*child
	busy   map[*child]bool
	closed bool
}

// child is a running process.
type child struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	stderr  *lastWords
	ending  sync.Once
}

// lastWords keeps the end of what a process writes to stderr about one object.
type lastWords struct {
	mutex sync.Mutex
	kept  []byte
}

// maxLastWords is the number of bytes that a message shows.
const maxLastWords = 4096

// Write implements io.Writer.
func (l *lastWords) Write(text []byte) (int, error) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.kept = append(l.kept, text...)
	l.kept = l.kept[max(0, len(l.kept)-maxLastWords):]
	return len(text), nil
}

// forget discards the text about the last object.
func (l *lastWords) forget() {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.kept = nil
}

// Build builds the program of a project. The error has the output of the compiler.
func (p *Project) Build(ctx context.Context) (*Converter, error) {
	folder, err := os.MkdirTemp("", "diffrun-conversion-")
	if err != nil {
		return nil, err
	}
	program, err := p.build(ctx, folder)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	c := &Converter{folder: folder, program: program, busy: map[*child]bool{}}
	c.SetPatience(defaultPatience)
	return c, nil
}

// SetPatience sets how long one conversion may take.
func (c *Converter) SetPatience(patience time.Duration) { c.patience.Store(int64(patience)) }

// Convert implements customresource.Converter.
func (c *Converter) Convert(object map[string]any, version string) (map[string]any, error) {
	data, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	answer, err := c.ask(hub.Request{Version: version, Object: data})
	if err != nil {
		return nil, err
	}
	if answer.Failed != "" {
		return nil, errors.New(answer.Failed)
	}
	var converted map[string]any
	err = kjson.UnmarshalCaseSensitivePreserveInts(answer.Object, &converted)
	return converted, err
}

// ask sends a request to an idle process and waits for the answer.
func (c *Converter) ask(request hub.Request) (*hub.Answer, error) {
	asked, err := c.take()
	if err != nil {
		return nil, err
	}
	type answer struct {
		*hub.Answer
		err error
	}
	answered := make(chan answer, 1)
	go func() {
		said, err := asked.answer(request)
		answered <- answer{said, err}
	}()
	patience := time.Duration(c.patience.Load())
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case said := <-answered:
		if said.err != nil {
			return nil, fmt.Errorf("the program with the conversion methods %w%s", said.err, c.drop(asked))
		}
		c.putBack(asked)
		return said.Answer, nil
	case <-timer.C:
		return nil, fmt.Errorf("the conversion methods took longer than %s%s", patience, c.drop(asked))
	}
}

// take returns an idle process, and starts one if all are busy. There are never more processes than
// concurrent cases.
func (c *Converter) take() (*child, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.closed {
		return nil, errors.New("the converter is closed")
	}
	var taken *child
	if last := len(c.idle) - 1; last >= 0 {
		taken, c.idle = c.idle[last], c.idle[:last]
		taken.stderr.forget()
	} else {
		started, err := start(c.program)
		if err != nil {
			return nil, err
		}
		taken = started
	}
	c.busy[taken] = true
	return taken, nil
}

func (c *Converter) putBack(answered *child) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.busy[answered] { // otherwise Close has ended it
		delete(c.busy, answered)
		c.idle = append(c.idle, answered)
	}
}

// drop ends a process and returns the last text that it wrote.
func (c *Converter) drop(failed *child) string {
	c.mutex.Lock()
	delete(c.busy, failed)
	c.mutex.Unlock()
	failed.end()
	if said := strings.TrimSpace(string(failed.stderr.kept)); said != "" {
		return ": " + said
	}
	return ""
}

func start(program string) (*child, error) {
	made := &child{command: exec.Command(program), stderr: &lastWords{}}
	made.command.Stderr, made.command.WaitDelay = made.stderr, time.Second
	in, err := made.command.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := made.command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	made.in, made.out = in, bufio.NewReader(out)
	return made, made.command.Start()
}

func (c *child) answer(request hub.Request) (*hub.Answer, error) {
	if err := json.NewEncoder(c.in).Encode(request); err != nil {
		return nil, errors.New("ended")
	}
	line, err := c.out.ReadBytes('\n')
	if err != nil {
		return nil, errors.New("ended")
	}
	var answer hub.Answer
	if err := json.Unmarshal(line, &answer); err != nil {
		return nil, fmt.Errorf("did not write an answer: %w", err)
	}
	return &answer, nil
}

// end kills the process and waits until it has ended. It may be called more than once.
func (c *child) end() {
	c.ending.Do(func() {
		_ = c.in.Close()
		_ = c.command.Process.Kill()
		_ = c.command.Wait() // it was killed
	})
}

// Close ends the processes and removes the program.
func (c *Converter) Close() error {
	c.mutex.Lock()
	c.closed = true
	running := append(slices.Collect(maps.Keys(c.busy)), c.idle...)
	c.idle, c.busy = nil, map[*child]bool{}
	c.mutex.Unlock()
	for _, one := range running {
		one.end()
	}
	return os.RemoveAll(c.folder)
}

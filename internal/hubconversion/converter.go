package hubconversion

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"time"

	kjson "sigs.k8s.io/json"

	"github.com/diffrun/diffrun/internal/hubconversion/hub"
)

// defaultPatience is how long one conversion may take. Conversion methods copy fields.
const defaultPatience = 10 * time.Second

// Converter converts objects in a program. It implements customresource.Converter. Close it when
// no object is converted any more.
type Converter struct {
	folder, program string
	patience        time.Duration

	mutex sync.Mutex
	child *child // nil: it was not started yet, or it died
}

// child is the running program.
type child struct {
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	stderr  *lastWords
}

// lastWords keeps the end of what a program writes.
type lastWords struct{ kept []byte }

// maxLastWords is how many bytes of it a message shows.
const maxLastWords = 4096

// Write implements io.Writer.
func (l *lastWords) Write(text []byte) (int, error) {
	l.kept = append(l.kept, text...)
	l.kept = l.kept[max(0, len(l.kept)-maxLastWords):]
	return len(text), nil
}

// Build builds the program of a project. The error has what the compiler says.
func (p *Project) Build(ctx context.Context) (*Converter, error) {
	folder, err := os.MkdirTemp("", "diffrun-conversion-")
	if err != nil {
		return nil, err
	}
	program, err := p.build(ctx, folder)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(folder))
	}
	return &Converter{folder: folder, program: program, patience: cmp.Or(p.Patience, defaultPatience)}, nil
}

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

// ask sends a request and waits for the answer.
func (c *Converter) ask(request hub.Request) (*hub.Answer, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.child == nil {
		started, err := start(c.program)
		if err != nil {
			return nil, err
		}
		c.child = started
	}
	var answer *hub.Answer
	answered := make(chan error, 1)
	go func(of *child) {
		got, err := of.answer(request)
		answer = got
		answered <- err
	}(c.child)
	select {
	case err := <-answered:
		if err != nil {
			return nil, fmt.Errorf("the program with the conversion methods %w%s", err, c.drop())
		}
		return answer, nil
	case <-time.After(c.patience):
		return nil, fmt.Errorf("the conversion methods took longer than %s%s", c.patience, c.drop())
	}
}

// drop ends the program and returns what it wrote last. The next request starts it again.
func (c *Converter) drop() string {
	ended := c.child
	c.child = nil
	_ = ended.command.Process.Kill()
	_ = ended.command.Wait() // it was killed
	if said := strings.TrimSpace(string(ended.stderr.kept)); said != "" {
		return ": " + said
	}
	return ""
}

func start(program string) (*child, error) {
	made := &child{command: exec.Command(program), stderr: &lastWords{}}
	made.command.Stderr = made.stderr
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
		return nil, fmt.Errorf("wrote something else than an answer: %w", err)
	}
	return &answer, nil
}

// Close ends the program and removes it.
func (c *Converter) Close() error {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	if c.child != nil {
		_ = c.child.in.Close()
		c.drop()
	}
	return os.RemoveAll(c.folder)
}

package hubconversion

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync/atomic"
	"time"

	kjson "sigs.k8s.io/json"

	"github.com/diffrun/diffrun/internal/hub"
	"github.com/diffrun/diffrun/internal/process"
)

// defaultTimeout is how long one conversion may take. Conversion methods copy fields.
const defaultTimeout = 10 * time.Second

// maxProcesses is more than there are concurrent cases.
const maxProcesses = 1000

// Converter converts objects in child processes. It implements customresource.Converter. Concurrent
// conversions run in separate processes, so one that hangs does not delay others. Close it after the
// last conversion.
type Converter struct {
	folder   string       // has the program
	timeout  atomic.Int64 // a time.Duration
	children *process.Pool[*process.Child]
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
	c := &Converter{folder: folder}
	c.children = process.NewPool(maxProcesses, errors.New("the converter is closed"), func(context.Context) (*process.Child, error) {
		return process.Start(process.Command{Program: program})
	})
	c.SetTimeout(defaultTimeout)
	return c, nil
}

// SetTimeout sets how long one conversion may take.
func (c *Converter) SetTimeout(timeout time.Duration) { c.timeout.Store(int64(timeout)) }

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

// ask sends a request to a process and waits for the answer.
func (c *Converter) ask(request hub.Request) (*hub.Answer, error) {
	line, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	timeout := time.Duration(c.timeout.Load())
	limited, cancel := context.WithTimeout(context.Background(), timeout)
	defer cancel()
	ctx, leave, err := c.children.Enter(limited)
	if err != nil {
		return nil, err
	}
	defer leave()
	var answer hub.Answer
	var written int64 // to stderr, before the request
	failed, err := c.children.Ask(ctx, func(child *process.Child) error {
		written = child.Stderr.Written()
		child.Send(line)
		response, err := child.Next(ctx)
		if err != nil {
			return errors.New("ended")
		}
		if err := json.Unmarshal(response.Text, &answer); err != nil {
			return fmt.Errorf("did not write an answer: %w", err)
		}
		return nil
	})
	switch {
	case err == nil:
		return &answer, nil
	case limited.Err() != nil:
		err = fmt.Errorf("the conversion methods took longer than %s", timeout)
	case failed != nil:
		err = fmt.Errorf("the program with the conversion methods %w", err)
	}
	if failed == nil {
		return nil, err
	}
	stderr := strings.TrimSpace(failed.Stderr.Since(written))
	if stderr == "" {
		return nil, err
	}
	return nil, fmt.Errorf("%w: %s", err, stderr[max(0, len(stderr)-maxStderr):])
}

// maxStderr is the number of bytes of stderr that a message shows.
const maxStderr = 4096

// Close ends the processes and removes the program.
func (c *Converter) Close() error {
	c.children.Close()
	return os.RemoveAll(c.folder)
}

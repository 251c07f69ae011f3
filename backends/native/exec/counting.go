package exec

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/diffrun/diffrun/harness/contract"
)

// countersFile is the environment variable with the name of the file that a program maps into its memory to
// count what it executes: 4 bytes for each counter, in the byte order of the machine.
const countersFile = "DIFFRUN_COUNTERS"

// Counting makes programs that this package builds count what they execute.
type Counting interface {
	// Instrument is called before a program is built. A program that cannot be instrumented has no
	// counters.
	Instrument(context.Context, GoProgram) Instrumented
	// NotBuilt is called if the instrumented program does not build. It is then built without counters.
	NotBuilt(GoProgram, error)
	// Add is called with each answer of a program that counts: how often it executed which places
	// (contract.Notes.Executed).
	Add(executed map[int]int)
}

// GoProgram is a main package that is built by "go build".
type GoProgram struct {
	// Tool is the go command. Dir is where it runs, and Env is added to its environment.
	Tool, Dir string
	Env       []string
	// Flags are those of the build. Packages is the package, or its files.
	Flags, Packages []string
}

// Instrumented is how to build a program that counts.
type Instrumented struct {
	// Flags are the flags of the build in place of those of the program.
	Flags []string
	// Counters is how many counters the program has; zero: it has none. First is the number of the first one
	// in contract.Notes.Executed.
	Counters, First int
	// Close removes temporary files. It is called after the build; nil: there is nothing to remove.
	Close func() error
}

// counters are those of a child.
type counters struct {
	file  *os.File
	first int
	data  []byte
	by    Counting
}

// newCounters creates the file with the counters of a child; nil: the program does not count.
func newCounters(dir string, of Instrumented, by Counting) (*counters, error) {
	if of.Counters == 0 {
		return nil, nil
	}
	file, err := os.CreateTemp(dir, "counters-*")
	if err != nil {
		return nil, err
	}
	c := &counters{file: file, first: of.First, data: make([]byte, 4*of.Counters), by: by}
	if err := c.clear(); err != nil {
		return nil, errors.Join(err, c.close())
	}
	return c, nil
}

// env is what the environment of the child needs.
func (c *counters) env() []string {
	if c == nil {
		return nil
	}
	name, err := filepath.Abs(c.file.Name())
	if err != nil {
		name = c.file.Name()
	}
	return []string{countersFile + "=" + name}
}

// clear sets the counters to zero, before a question.
func (c *counters) clear() error {
	if c == nil {
		return nil
	}
	clear(c.data)
	_, err := c.file.WriteAt(c.data, 0)
	return err
}

// note adds what was executed since clear to the notes of an answer.
func (c *counters) note(ctx context.Context) error {
	if c == nil {
		return nil
	}
	if _, err := c.file.ReadAt(c.data, 0); err != nil {
		return fmt.Errorf("its counters: %w", err)
	}
	executed := map[int]int{}
	for i := range len(c.data) / 4 {
		if n := binary.NativeEndian.Uint32(c.data[4*i:]); n > 0 {
			executed[c.first+i] = int(n)
		}
	}
	if len(executed) > 0 {
		c.by.Add(executed)
		contract.AddNotes(ctx, contract.Notes{Executed: executed})
	}
	return nil
}

func (c *counters) close() error {
	if c == nil {
		return nil
	}
	return errors.Join(c.file.Close(), os.Remove(c.file.Name()))
}

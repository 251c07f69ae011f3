package exec

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/diffrun/diffrun/backends/native/exec/counting"
	"github.com/diffrun/diffrun/harness/contract"
)

// countersFile is the environment variable with the name of the file that a program maps into its memory to
// count what it executes: 4 bytes for each counter, in the byte order of the machine.
const countersFile = "DIFFRUN_COUNTERS"

// counters are those of a child.
type counters struct {
	file  *os.File
	first int
	data  []byte
	by    counting.Counter
}

// newCounters creates the file with the counters of a child; nil: the program does not count.
func newCounters(dir string, of counting.Instrumented, by counting.Counter) (*counters, error) {
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

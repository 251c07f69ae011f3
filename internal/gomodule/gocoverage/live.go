package gocoverage

import (
	"bytes"
	"fmt"
	"runtime/coverage"
	"slices"
)

// Live reads the counters of the running program, which count the code of all goroutines. Only one
// goroutine may use it at a time.
type Live struct {
	program *program
	buffer  bytes.Buffer
}

// NewLive returns the counters of the running program. It returns an error if the program was not built
// with -cover -covermode=atomic.
func NewLive() (*Live, error) {
	var meta bytes.Buffer
	if err := coverage.WriteMeta(&meta); err != nil {
		return nil, err
	}
	read, err := readMeta(meta.Bytes())
	if err != nil {
		return nil, fmt.Errorf("the coverage data of this program: %w", err)
	}
	l := &Live{program: read}
	if err := l.Read(func(int, uint64) {}); err != nil {
		return nil, err
	}
	return l, nil
}

// Blocks returns the blocks of the program, by their numbers.
func (l *Live) Blocks() []Block { return l.program.blocks }

// Find returns the number of the block that contains a position.
func (l *Live) Find(file string, at Position) (block int, found bool) {
	var innermost Block
	for i, b := range l.program.blocks {
		if b.File == file && !at.before(b.Start) && at.before(b.End) && (!found || !b.Start.before(innermost.Start)) {
			block, innermost, found = i, b, true
		}
	}
	return block, found
}

// Has reports whether the program counts the code of a file.
func (l *Live) Has(file string) bool {
	return slices.ContainsFunc(l.program.blocks, func(b Block) bool { return b.File == file })
}

// Clear sets all counters to zero.
func (l *Live) Clear() error { return coverage.ClearCounters() }

// Read calls add for each block that ran since Clear, or since the program began.
func (l *Live) Read(add func(block int, times uint64)) error {
	l.buffer.Reset()
	if err := coverage.WriteCounters(&l.buffer); err != nil {
		return err
	}
	return l.program.readCounters(l.buffer.Bytes(), add)
}

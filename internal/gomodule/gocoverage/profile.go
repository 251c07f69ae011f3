package gocoverage

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"

	"golang.org/x/tools/cover"

	"github.com/diffrun/diffrun/internal/files/infile"
)

// Profile counts how often each block ran.
type Profile struct {
	// times are the blocks of each file, in the order in which they begin.
	times map[string][]counted
}

type counted struct {
	Block
	times uint64
}

func (p *Profile) add(block Block, times uint64) {
	p.times[block.File] = append(p.times[block.File], counted{block, times})
}

func (p *Profile) sort() {
	for _, blocks := range p.times {
		slices.SortStableFunc(blocks, func(a, b counted) int {
			return cmp.Or(a.Start.compare(b.Start), b.End.compare(a.End)) // the inner one later
		})
	}
}

// Ran reports whether the code at a position ran, and whether the profile has the file.
func (p *Profile) Ran(file string, at Position) (ran, known bool) {
	blocks, known := p.times[file]
	var innermost Block
	for i := len(blocks) - 1; i >= 0; i-- { // the last one that begins before it is the innermost
		b := blocks[i]
		if innermost.File != "" && b.Block != innermost {
			break
		}
		if !at.before(b.Start) && at.before(b.End) {
			innermost = b.Block
			ran = ran || b.times > 0 // several programs may have the block
		}
	}
	return ran, known
}

// ReadProfile reads a file of "go test -coverprofile", or a directory of GOCOVERDIR.
func ReadProfile(name string) (*Profile, error) {
	if info, err := (infile.Disk{}).Stat(name); err != nil {
		return nil, err
	} else if info.IsDir() {
		return ReadDirectory(name)
	}
	data, err := infile.ReadFile(name)
	if err != nil {
		return nil, err
	}
	files, err := cover.ParseProfilesFromReader(bytes.NewReader(data))
	if err != nil {
		return nil, fmt.Errorf("%s is neither a file that \"go test -coverprofile\" writes nor a directory of GOCOVERDIR: %w", name, err)
	}
	p := &Profile{times: map[string][]counted{}}
	for _, file := range files {
		for _, b := range file.Blocks {
			block := Block{file.FileName, Position{b.StartLine, b.StartCol}, Position{b.EndLine, b.EndCol}}
			p.add(block, uint64(b.Count))
		}
	}
	p.sort()
	return p, nil
}

// ErrNoCoverage is the error if no program wrote coverage data.
var ErrNoCoverage = errors.New("no coverage data")

// ReadDirectory reads and adds the data of all runs of programs built with "go build -cover" in
// GOCOVERDIR. It returns ErrNoCoverage if there is none.
func ReadDirectory(name string) (*Profile, error) {
	metas, err := filepath.Glob(filepath.Join(name, "covmeta.*"))
	if err != nil {
		return nil, err
	}
	joined := &Profile{times: map[string][]counted{}}
	for _, file := range metas {
		if err := joined.readProgram(name, file); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
	}
	if len(metas) == 0 {
		return nil, fmt.Errorf("%s: %w", name, ErrNoCoverage)
	}
	joined.sort()
	return joined, nil
}

// readProgram adds the counters of all runs of one program in a directory.
func (p *Profile) readProgram(directory, meta string) error {
	data, err := infile.ReadFile(meta)
	if err != nil {
		return err
	}
	of, err := readMeta(data)
	if err != nil {
		return err
	}
	runs, err := filepath.Glob(filepath.Join(directory, fmt.Sprintf("covcounters.%x.*", of.hash)))
	if err != nil {
		return err
	}
	times := make([]uint64, len(of.blocks))
	for _, run := range runs {
		if data, err = infile.ReadFile(run); err != nil {
			return err
		}
		if err := of.readCounters(data, func(block int, n uint64) { times[block] += n }); err != nil {
			return fmt.Errorf("%s: %w", run, err)
		}
	}
	for i, block := range of.blocks {
		p.add(block, times[i])
	}
	return nil
}

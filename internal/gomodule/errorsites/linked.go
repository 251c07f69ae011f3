package errorsites

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/diffrun/diffrun/internal/gomodule/gocoverage"
)

// Linked counts what inputs execute in the validators that are compiled into this program, with the counters of
// "go build -cover". These count the whole program, so only one input is counted at a time. Tests cannot read
// theirs.
type Linked struct {
	turn   sync.Mutex
	live   *gocoverage.Live
	blocks []gocoverage.Block
	// counted are the blocks that may be of validators: not those of diffrun, and not generated ones.
	counted []bool
	// times has how often each block was executed when it was last read.
	times []uint64
}

// ErrNoCounters says that this program does not count what its validators execute. The go command counts nothing
// if the main package is not in -coverpkg.
var ErrNoCounters = errors.New("this program was not built with -cover -covermode=atomic, and with the validators and " +
	"the main package in -coverpkg")

// ThisProgram returns the counters of this program. It returns ErrNoCounters if there are none, and an error
// if they cannot be read.
var ThisProgram = sync.OnceValues(func() (*Linked, error) {
	live, err := gocoverage.NewLive()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoCounters, err)
	}
	l := &Linked{live: live, blocks: live.Blocks()}
	l.counted, l.times = make([]bool, len(l.blocks)), make([]uint64, len(l.blocks))
	for n, block := range l.blocks {
		l.counted[n] = !serves(path.Dir(block.File)) && !strings.HasPrefix(path.Base(block.File), "zz_generated")
	}
	if !slices.Contains(l.counted, true) {
		return nil, ErrNoCounters
	}
	_, err = l.read()
	return l, err
})

// Count calls ask, and returns the numbers of the blocks that were executed during the call, below zero: those
// of programs are not (Counter). Calls wait for each other.
func (l *Linked) Count(ask func()) (executed []int, err error) {
	l.turn.Lock()
	defer l.turn.Unlock()
	if _, err := l.read(); err != nil { // what others executed since the last call
		return nil, err
	}
	ask()
	return l.read()
}

// read returns the blocks that were executed since the last call.
func (l *Linked) read() (executed []int, err error) {
	err = l.live.Read(func(block int, times uint64) {
		if l.counted[block] && l.times[block] != times {
			executed, l.times[block] = append(executed, -1-block), times
		}
	})
	return executed, err
}

// Reached returns what was executed since the program began. The source of the packages is read from a
// directory of their module.
func (l *Linked) Reached(ctx context.Context, directory string) (r Reached, err error) {
	l.turn.Lock()
	defer l.turn.Unlock()
	if _, err := l.read(); err != nil {
		return r, err
	}
	packages := map[string]bool{}
	for n, block := range l.blocks {
		if l.counted[n] {
			packages[path.Dir(block.File)] = true
			r.AllBranches++
			if l.times[n] > 0 {
				r.Branches++
			}
		}
	}
	sites, err := Find(ctx, directory, slices.Sorted(maps.Keys(packages)))
	if err != nil {
		return r, fmt.Errorf("the source of the counted packages %s cannot be read: %w",
			strings.Join(slices.Sorted(maps.Keys(packages)), ", "), err)
	}
	for _, site := range sites {
		switch block, found := l.live.Find(site.File, gocoverage.Position{Line: site.Line, Column: site.Column}); {
		case !found:
		case l.times[block] > 0:
			r.Sites++
		default:
			r.Never = append(r.Never, site)
		}
	}
	return r, nil
}

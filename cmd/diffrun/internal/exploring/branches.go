package exploring

import (
	"context"
	"hash/fnv"
	"runtime/coverage"
	"sync"

	"github.com/diffrun/diffrun/internal/explore"
)

// branches finds the inputs with which a validator of this process executes code for the first time. Code that
// was built with "go build -cover -coverpkg=…" counts what it executes.
type branches struct {
	lock   sync.Mutex // one input at a time: the counters are of the process
	before uint64
	inputs int
}

// newBranches returns nil if nothing counts in this process.
func newBranches() *branches {
	b := &branches{}
	if sum, ok := executed(); ok {
		b.before = sum
		return b
	}
	return nil
}

// executed returns a hash of the counters. In the mode set, which is that of go build -cover, it changes if
// code is executed for the first time.
func executed() (uint64, bool) {
	sum := fnv.New64a()
	err := coverage.WriteCounters(sum)
	return sum.Sum64(), err == nil
}

// watch returns an Ask that also reports whether new code was executed.
func (b *branches) watch(ask explore.Ask) explore.Ask {
	if b == nil {
		return ask
	}
	return func(ctx context.Context, in explore.Input) (explore.Answer, error) {
		b.lock.Lock()
		defer b.lock.Unlock()
		answer, err := ask(ctx, in)
		if sum, ok := executed(); ok && sum != b.before {
			b.before, answer.Novel = sum, true
			b.inputs++
		}
		return answer, err
	}
}

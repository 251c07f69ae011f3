package exploretest

import (
	"sync"
	"testing"

	"github.com/diffrun/diffrun/internal/findings/asking"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// covered counts the inputs that execute code for the first time, in a test that runs with -cover. testing.Coverage
// grows with them; it says neither which code that was nor the share of the report. The counters are those of the
// process, so only one input is asked about at a time.
type covered struct {
	turn  sync.Mutex
	times int
}

var ofThisTest covered

// newCounter returns the counter of a test that runs with -cover, or nil. Package testing does the same for fuzzing.
func newCounter() asking.Counter {
	if testing.CoverMode() == "" {
		return nil
	}
	return &ofThisTest
}

// Count implements asking.Counter. Code that is executed for the first time is a place of its own.
func (c *covered) Count(ask func()) (executed []int, err error) {
	c.turn.Lock()
	defer c.turn.Unlock()
	before := testing.Coverage()
	ask()
	if testing.Coverage() > before {
		c.times++
		executed = []int{-c.times}
	}
	return executed, nil
}

// logCovered logs how much code was executed.
func logCovered(t testing.TB) {
	t.Helper()
	if testing.CoverMode() == "" {
		t.Logf("which code the inputs execute is unknown; with -cover, inputs that execute new code are kept and changed further")
		return
	}
	t.Logf("%s executed new code of the covered packages; -coverprofile=FILE names the code that none did",
		plaintext.Count(ofThisTest.times, "input"))
}

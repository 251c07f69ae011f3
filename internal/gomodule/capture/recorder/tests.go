//go:build go1.22

package recorder

import (
	"fmt"
	"strings"
	"sync"
)

// running are the tests that run now. A server that a test started calls validators in goroutines
// that do not show the test. If a single test runs, the call belongs to it.
var running struct {
	sync.Mutex
	tests map[string]bool // true if another test ran at the same time
}

// run records that a test runs. Which tests run at the same time does not depend on their speed:
// parallel tests of a group all wait until the last of them begins. A subtest shares its time if
// its test does.
func run(t any, name string) {
	tidied, is := t.(interface{ Cleanup(func()) })
	if !is || fmt.Sprintf("%T", t) != "*testing.T" {
		return
	}
	running.Lock()
	defer running.Unlock()
	if _, known := running.tests[name]; known {
		return
	}
	if running.tests == nil {
		running.tests = map[string]bool{}
	}
	shared := false
	for other, shares := range running.tests {
		if isSubtest(name, other) {
			shared = shared || shares
			continue
		}
		shared, running.tests[other] = true, true
	}
	running.tests[name] = shared
	tidied.Cleanup(func() {
		running.Lock()
		defer running.Unlock()
		delete(running.tests, name)
	})
}

func isSubtest(name, of string) bool { return strings.HasPrefix(name, of+"/") }

// alone returns the test that runs alone, apart from the tests that it is a part of. It is empty if
// there is none.
func alone() (name string) {
	running.Lock()
	defer running.Unlock()
	for test, shared := range running.tests {
		if shared {
			return ""
		}
		if len(test) > len(name) {
			name = test
		}
	}
	return name
}

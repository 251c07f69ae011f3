//go:build go1.22

package recorder

import (
	"fmt"
	"strings"
	"sync"
)

// running are the tests that run now. Servers that a test has started call validators in
// goroutines which do not show whose they are: the call is of the test that runs alone.
var running struct {
	sync.Mutex
	tests map[string]bool // whether another one ran at the same time
}

// run notes that a test runs. Which tests run at the same time as others does not depend on
// how fast they are: parallel tests of a group all wait for the last of them to begin. A
// subtest shares its time if its test does.
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

// alone is the test that runs alone, with the tests that it is a part of; empty: there is
// none.
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

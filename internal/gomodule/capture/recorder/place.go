//go:build go1.22

package recorder

import (
	"bytes"
	"fmt"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
)

// goroutines has data about goroutines of tests, by their ids. Go does not reuse ids.
var goroutines struct {
	sync.Mutex
	tests map[uint64]string // names of tests
	calls map[uint64]int    // recorded calls in flight
}

// Test records that the current goroutine runs a test.
func Test(t interface{ Name() string }) {
	if folder == "" || t == nil {
		return
	}
	beginGates()
	name, id := nameOf(t), goroutineID()
	if name != "" {
		run(t, name)
	}
	goroutines.Lock()
	defer goroutines.Unlock()
	if goroutines.tests == nil {
		goroutines.tests = map[uint64]string{}
	}
	if name != "" {
		goroutines.tests[id] = name
	}
}

// nameOf returns the name of a test, or "" for a nil *testing.T.
func nameOf(t interface{ Name() string }) (name string) {
	defer func() { _ = recover() }()
	return t.Name()
}

func inside(goroutine uint64) bool {
	goroutines.Lock()
	defer goroutines.Unlock()
	return goroutines.calls[goroutine] > 0
}

func enter(goroutine uint64) {
	goroutines.Lock()
	defer goroutines.Unlock()
	if goroutines.calls == nil {
		goroutines.calls = map[uint64]int{}
	}
	goroutines.calls[goroutine]++
}

func leave(goroutine uint64) {
	goroutines.Lock()
	defer goroutines.Unlock()
	if goroutines.calls[goroutine]--; goroutines.calls[goroutine] == 0 {
		delete(goroutines.calls, goroutine)
	}
}

// goroutineID returns the number in the first line of a stack, "goroutine 7 [running]:".
func goroutineID() uint64 {
	var buffer [64]byte
	return numberAfter(buffer[:runtime.Stack(buffer[:], false)], "goroutine ")
}

func numberAfter(text []byte, word string) uint64 {
	_, rest, _ := bytes.Cut(text, []byte(word))
	end := bytes.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' })
	if end < 0 {
		end = len(rest)
	}
	number, _ := strconv.ParseUint(string(rest[:end]), 10, 64)
	return number
}

// caller returns the test that makes a call, and the file and line of the call. A goroutine that a
// test started belongs to that test. If the test is unknown, its name is that of the function in the
// test file. If no test file is in the stack, the source is that of the validator.
func caller(goroutine uint64) (test, source string) {
	pcs := make([]uintptr, 256)
	frames := runtime.CallersFrames(pcs[:runtime.Callers(4, pcs)])
	var first string
	for {
		frame, more := frames.Next()
		if first == "" && frame.Line > 0 {
			first = fmt.Sprintf("%s:%d", filepath.ToSlash(frame.File), frame.Line)
		}
		if strings.HasSuffix(frame.File, "_test.go") {
			source = fmt.Sprintf("%s:%d", filepath.ToSlash(frame.File), frame.Line)
			test = frame.Function[strings.LastIndex(frame.Function, "/")+1:]
			_, test, _ = strings.Cut(test, ".")
			test, _, _ = strings.Cut(test, ".")
			break
		}
		if !more {
			source = first
			break
		}
	}
	if name := testOf(goroutine); name != "" {
		test = name
	}
	return test, source
}

// testOf returns the name of the test that a goroutine, or the goroutine that started it, runs.
func testOf(goroutine uint64) string {
	goroutines.Lock()
	name, known := goroutines.tests[goroutine]
	goroutines.Unlock()
	if known {
		return name
	}
	buffer := make([]byte, 64<<10)
	stack := buffer[:runtime.Stack(buffer, false)]
	parent := numberAfter(stack[max(bytes.LastIndex(stack, []byte(" in goroutine ")), 0):], " in goroutine ")
	goroutines.Lock()
	name, known = goroutines.tests[parent]
	goroutines.Unlock()
	if known {
		return name
	}
	return alone()
}

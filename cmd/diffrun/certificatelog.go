package main

import (
	"sync"

	"github.com/go-logr/logr"
)

// certificateLog gives the log for what watches certificates. It says errors: that a file
// cannot be read goes on every few seconds, so it is said again when it changes.
func (p *program) certificateLog() logr.Logger { return logr.New(&errorLog{program: p}) }

// errorLog is a log of errors on stderr.
type errorLog struct {
	program *program

	mu   sync.Mutex
	last string
}

// Init does nothing.
func (*errorLog) Init(logr.RuntimeInfo) {}

// Enabled is false: only errors are said.
func (*errorLog) Enabled(int) bool { return false }

// Info does nothing.
func (*errorLog) Info(int, string, ...any) {}

// Error says an error, unless it was the last one.
func (l *errorLog) Error(err error, message string, _ ...any) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err == nil || err.Error() == l.last {
		return
	}
	l.last = err.Error()
	l.program.warn("diffrun: warning: webhook: the old certificate is used on: %s: %v\n", message, err)
}

// WithValues gives the same log.
func (l *errorLog) WithValues(...any) logr.LogSink { return l }

// WithName gives the same log.
func (l *errorLog) WithName(string) logr.LogSink { return l }

package soak

import (
	"bytes"
	"log"
	"sync"
	"time"

	"github.com/go-logr/logr"
	"golang.org/x/time/rate"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
)

// certificateLog returns a log for the watcher of certificates. The watcher reports a file that it
// cannot read every few seconds, so the log prints only errors that differ from the last one.
func certificateLog(c *terminal.Console) logr.Logger { return logr.New(&certificateSink{console: c}) }

type certificateSink struct {
	console *terminal.Console
	mu      sync.Mutex
	last    string
}

func (*certificateSink) Init(logr.RuntimeInfo)            {}
func (*certificateSink) Enabled(int) bool                 { return false }
func (*certificateSink) Info(int, string, ...any)         {}
func (s *certificateSink) WithValues(...any) logr.LogSink { return s }
func (s *certificateSink) WithName(string) logr.LogSink   { return s }
func (s *certificateSink) Error(err error, message string, _ ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err == nil || err.Error() == s.last {
		return
	}
	s.last = err.Error()
	s.console.Warn("diffrun: warning: webhook: the old certificate is still used: %s: %v\n", message, err)
}

// connectionLog returns a log for errors of connections, for instance that an API server does not trust
// the certificate. Each request may cause one, so the log prints some of them.
func connectionLog(c *terminal.Console) *log.Logger {
	return log.New(&connectionWriter{console: c, limit: rate.Sometimes{First: 10, Interval: 10 * time.Second}}, "", 0)
}

type connectionWriter struct {
	console *terminal.Console
	limit   rate.Sometimes
}

func (w *connectionWriter) Write(line []byte) (int, error) {
	w.limit.Do(func() { w.console.Warn("diffrun: warning: webhook: %s\n", bytes.TrimSpace(line)) })
	return len(line), nil
}

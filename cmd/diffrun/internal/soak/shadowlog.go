package soak

import (
	"bytes"
	"log"
	"time"

	"golang.org/x/time/rate"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
)

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

package main

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"
)

// interrupts lists the signals that ask a command to end. SIGHUP is not one of them
// where it was ignored from the start: that is what nohup is for.
func interrupts() []os.Signal {
	all := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		all = append(all, syscall.SIGHUP)
	}
	return all
}

// interruptible gives a context that the first interrupt ends. A second one ends the
// process at once, after last; a second SIGHUP does not, as a terminal that is closed
// and its shell send one each.
func interruptible(ctx context.Context, last func()) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	signals, done := make(chan os.Signal, 2), make(chan struct{})
	signal.Notify(signals, interrupts()...)
	go func() {
		for {
			select {
			case got := <-signals:
				if got == syscall.SIGHUP {
					signal.Ignore(got) // the second one may come when the process is about to end
				}
				if ctx.Err() != nil && got != syscall.SIGHUP {
					last()
					endBy(got)
				}
				cancel()
			case <-done:
				return
			}
		}
	}()
	return ctx, sync.OnceFunc(func() {
		signal.Stop(signals)
		close(done)
		cancel()
	})
}

// catchBrokenPipe makes writing to a stdout or stderr that nobody reads any more an error,
// which otherwise ends the process.
func catchBrokenPipe() (stop func()) {
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, syscall.SIGPIPE)
	return func() { signal.Stop(caught) }
}

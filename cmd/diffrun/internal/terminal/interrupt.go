package terminal

import (
	"context"
	"os"
	"os/signal"
	"sync"
	"syscall"
)

// Signals returns the signals that ask a command to end. SIGHUP is not one of them if it was
// ignored from the start, as nohup does.
func Signals() []os.Signal {
	all := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		all = append(all, syscall.SIGHUP)
	}
	return all
}

// Interruptible returns a context that the first interrupt cancels. A second one calls abandon and
// ends the process at once. A second SIGHUP does not, because a closing terminal and its shell send
// one each.
func Interruptible(ctx context.Context, abandon func()) (context.Context, func()) {
	ctx, cancel := context.WithCancel(ctx)
	signals, done := make(chan os.Signal, 2), make(chan struct{})
	signal.Notify(signals, Signals()...)
	go func() {
		for {
			select {
			case got := <-signals:
				if got == syscall.SIGHUP {
					signal.Ignore(got) // the second one may come while the process ends
				}
				if ctx.Err() != nil && got != syscall.SIGHUP {
					abandon()
					exitBy(got)
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

// CatchBrokenPipe makes writing to a closed pipe on stdout or stderr an error. Otherwise it would end
// the process.
func CatchBrokenPipe() (stop func()) {
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, syscall.SIGPIPE)
	return func() { signal.Stop(caught) }
}

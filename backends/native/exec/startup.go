package exec

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/diffrun/diffrun/harness/contract"
)

// startUp is the time from the first start of a program to its first answer. It is not the time of a case
// (contract.StartUp).
type startUp struct {
	command  string
	timeout  time.Duration
	starting func(doing string) (ended func())

	mu       sync.Mutex
	began    time.Time     // zero: not yet
	doing    string        // the current activity
	waiting  int           // questions that wait for the first answer
	ended    func()        // ends the notice about the start
	answered chan struct{} // closed at the first answer
	over     bool          // an answer came, or the time is over
}

func newStartUp(options Options) *startUp {
	s := &startUp{
		command:  strings.Join(options.Command, " "),
		timeout:  options.StartTimeout,
		starting: options.Starting,
		answered: make(chan struct{}),
	}
	if s.timeout <= 0 {
		s.timeout = contract.DefaultStartTimeout
	}
	return s
}

// wait stops the time-out of a case while the program starts. The context that it returns ends with the time for
// the start. Call done when the question was answered or cannot be.
func (s *startUp) wait(ctx context.Context) (_ context.Context, done func()) {
	s.mu.Lock()
	if s.began.IsZero() {
		s.began = time.Now()
	}
	left := s.timeout - time.Since(s.began)
	if s.over || left <= 0 {
		s.mu.Unlock()
		return ctx, func() {}
	}
	s.waiting++
	s.mu.Unlock()
	ready := contract.StartUp(ctx)
	ctx, cancel := context.WithCancelCause(ctx)
	timer := time.AfterFunc(left, func() {
		cancel(&neverAnswered{after: s.timeout})
		s.end()
	})
	asked := make(chan struct{})
	go func() {
		select {
		case <-s.answered: // by any copy: from now on, the time is that of the case
			timer.Stop()
			ready()
		case <-asked:
		}
	}()
	return ctx, sync.OnceFunc(func() {
		close(asked)
		timer.Stop()
		cancel(nil)
		ready()
		s.leave()
	})
}

// show begins or changes the notice about the current activity, such as "building the validator".
func (s *startUp) show(doing string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.over || s.doing == doing {
		return
	}
	s.hide()
	s.doing = doing
	if s.starting != nil {
		s.ended = s.starting(fmt.Sprintf("%s (%s)", doing, s.command))
	}
}

func (s *startUp) hide() {
	s.doing = ""
	if s.ended != nil {
		s.ended()
		s.ended = nil
	}
}

// leave ends the notice when no question waits.
func (s *startUp) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.waiting--; s.waiting == 0 {
		s.hide()
	}
}

// end ends the start: no later question gets time for it.
func (s *startUp) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
	s.hide()
}

// answer records that the program answered.
func (s *startUp) answer() {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-s.answered:
	default:
		close(s.answered)
	}
	s.over = true
	s.hide()
}

// neverAnswered is the cause of a context that ended with the time for the start.
type neverAnswered struct{ after time.Duration }

func (e *neverAnswered) Error() string {
	return fmt.Sprintf("no answer within %v of its start (--start-timeout)", e.after)
}

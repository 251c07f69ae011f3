package cluster

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"sync"
	"time"
)

// link remembers whether the API server can be reached. When it is gone, the cases that
// remain must not wait for it one after the other.
type link struct {
	mu    sync.Mutex
	again time.Time // until then nothing is sent
	cause error     // nil: the last request arrived
}

// pause is how long nothing is sent to an API server that could not be reached.
const pause = 2 * time.Second

// down gives the fault of a case that is not sent, because the API server could not be
// reached a moment ago.
func (l *link) down(host string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cause == nil || time.Now().After(l.again) {
		return nil
	}
	return unreachable(host, l.cause)
}

// report notes what became of a request, and words the fault of one that did not arrive.
func (l *link) report(host string, err error) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	network := (*url.Error)(nil)
	switch {
	case !errors.As(err, &network):
		l.cause = nil
		return err
	case errors.Is(err, context.Canceled):
		return err // the run ended
	case errors.Is(err, errUnreachable):
		return err // said already
	}
	l.cause, l.again = err, time.Now().Add(pause)
	return unreachable(host, err)
}

var errUnreachable = errors.New("cannot be reached")

func unreachable(host string, cause error) error {
	return fmt.Errorf("the cluster %s %w: %w", host, errUnreachable, cause)
}

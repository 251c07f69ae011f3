package cluster

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"sync"
	"time"
)

// link remembers whether the API server is reachable, so that the remaining cases do not each wait
// for one that is down.
type link struct {
	mu    sync.Mutex
	again time.Time // until then nothing is sent
	cause error     // nil: the last request arrived
}

// pause is how long to wait before the next request to an unreachable API server.
const pause = 2 * time.Second

// down returns the fault of a case that is not sent because the API server was unreachable a moment
// ago.
func (l *link) down(host string) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cause == nil || time.Now().After(l.again) {
		return nil
	}
	return unreachable(host, l.cause)
}

// report records the result of a request, and wraps the error of one that did not arrive.
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
		return err // already wrapped
	}
	l.cause, l.again = err, time.Now().Add(pause)
	return unreachable(host, err)
}

var errUnreachable = errors.New("cannot be reached")

func unreachable(host string, cause error) error {
	return fmt.Errorf("the cluster %s %w: %w", host, errUnreachable, cause)
}

package soak

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"iter"
	"runtime"
	"time"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/run"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/live/counters"
	"github.com/diffrun/diffrun/internal/live/reviewserver"
)

// lastAnswers is how long requests in progress may delay the end.
const lastAnswers = 5 * time.Second

// EndTimeout is how long a shadow needs at most to end after its --grace. Manifests must allow for it.
const EndTimeout = lastAnswers + run.LastScrape + lastWrites

// shadow is a runner that compares the requests of an API server.
type shadow struct {
	*runner
	options  *ShadowOptions
	queue    *reviewserver.Queue
	requests *counters.Requests
}

// Shadow runs a shadow: a webhook that allows each request and compares it later.
func Shadow(ctx context.Context, env *run.Environment, args []string, o *ShadowOptions) error {
	if o.Parallel == 0 {
		o.Parallel = max(1, runtime.GOMAXPROCS(0)-1) // one core answers requests without delay
	}
	return start(ctx, env, args, o.options, source{
		name: "the requests of an API server", external: true, requests: true,
		run: func(r *runner) error {
			s := &shadow{runner: r, options: o, queue: reviewserver.NewQueue(o.queueBytes)}
			s.requests = r.counters.Requests(s.queue.Bytes)
			r.skipped, r.printCases = s.countSkipped, o.printCases
			return s.run()
		},
	})
}

// run serves and compares until it is time to end.
func (s *shadow) run() error {
	server, err := reviewserver.Serve(
		&reviewserver.Handler{Queue: s.queue, Requests: s.requests, Redact: s.redactor != nil},
		reviewserver.Options{
			Address:    s.options.addr,
			CertFile:   s.options.certFile,
			KeyFile:    s.options.keyFile,
			Renewed:    s.showCertificate,
			Unreadable: s.warnOfCertificate,
			Log:        connectionLog(s.env.Console),
		})
	if err != nil {
		return err
	}
	stopMetrics, err := s.serve(s.options.metricsAddr)
	if err != nil {
		return errors.Join(err, server.Close(s.stopping))
	}
	s.routes.Ready(true)
	s.env.Warn("webhook: https://%s allows each request, at any path\n", server.Address())
	return errors.Join(s.compareRequests(server), stopMetrics())
}

// compareRequests compares requests until a signal comes or the server fails, and then those that are
// in the queue.
func (s *shadow) compareRequests(server *reviewserver.Server) error {
	stop := s.stopping
	comparing, cancel := context.WithCancel(context.WithoutCancel(stop))
	defer cancel()
	s.stopping = comparing
	compared := make(chan error, 1)
	go func() { compared <- s.compareWith(s.externalJobs(s.cases(comparing)), s.record) }()
	var failed error
	select {
	case <-stop.Done():
	case <-server.Ended():
	case failed = <-compared:
		compared <- nil
	}
	s.routes.Ready(false)
	closing, cancelClosing := context.WithTimeout(context.WithoutCancel(stop), lastAnswers)
	defer cancelClosing()
	failed = errors.Join(failed, server.Close(closing))
	s.queue.Close()
	defer time.AfterFunc(s.options.grace, cancel).Stop()
	failed = errors.Join(failed, <-compared)
	for range s.queue.Left() {
		s.requests.Skip(counters.SkippedByStop)
	}
	s.env.Warn("diffrun: %s\n", s.requests.Text())
	return failed
}

// cases returns the cases of the requests as they come.
func (s *shadow) cases(ctx context.Context) iter.Seq2[harness.Case, error] {
	return func(yield func(harness.Case, error) bool) {
		for review := range s.queue.Reviews(ctx) {
			if !yield(cases.Review(review), nil) {
				return
			}
		}
	}
}

// countSkipped counts a request that no suite compares, and warns of the first about each kind.
func (s *shadow) countSkipped(skipped cases.Skipped) {
	switch skipped.Reason {
	case cases.NoTarget, cases.NoGuard:
		s.requests.Skip(words.SkippedByTarget)
		switch first := s.countNoTarget(skipped.Version); {
		case first && s.redactor != nil:
			s.env.Warn("diffrun: warning: requests about kinds that no suite has a target for are not compared\n")
		case first:
			s.env.Warn("diffrun: warning: requests about %s are not compared: no suite has this target\n", apiname.Target(skipped.Version))
		}
	case cases.NotACase:
		s.requests.Skip(counters.SkippedByRequest)
		s.countNoCase(skipped.Detail)
	}
}

// showCertificate prints which certificate is used from now on.
func (s *shadow) showCertificate(now *x509.Certificate) {
	s.env.Warn("webhook: the certificate is for %s, until %s\n", fmt.Sprint(now.DNSNames, now.IPAddresses),
		now.NotAfter.UTC().Format(time.RFC3339))
}

// warnOfCertificate warns of files that changed and cannot be used.
func (s *shadow) warnOfCertificate(err error) {
	s.env.Warn("diffrun: warning: webhook: the old certificate is still used: %v\n", err)
}

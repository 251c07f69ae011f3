package main

import (
	"bytes"
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"iter"
	"log"
	"time"

	"golang.org/x/time/rate"
	"k8s.io/apimachinery/pkg/runtime/schema"
	crlog "sigs.k8s.io/controller-runtime/pkg/log"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/live/counters"
	"github.com/diffrun/diffrun/internal/live/reviewserver"
	"github.com/diffrun/diffrun/metrics"
)

// lastAnswers is how long requests that are under way may hold up the end.
const lastAnswers = 5 * time.Second

// shadowing is a shadow that runs.
type shadowing struct {
	*soaking
	flags    shadowFlags
	queue    *reviewserver.Queue
	requests *counters.Requests
}

func newShadowing(k *soaking, flags shadowFlags) *shadowing {
	s := &shadowing{soaking: k, flags: flags, queue: reviewserver.NewQueue(flags.queueBytes)}
	s.requests = k.counters.Requests(s.queue.Bytes)
	s.ofNoTarget, s.ofNoCase = s.withoutTarget, s.withoutCase
	s.printCases = flags.printCases
	return s
}

// run serves and compares until it is time to end.
func (s *shadowing) run() error {
	crlog.SetLogger(s.program.certificateLog())
	server, err := reviewserver.Serve(
		&reviewserver.Handler{Queue: s.queue, Requests: s.requests, Redact: s.redactor != nil},
		reviewserver.Options{Address: s.flags.addr, CertFile: s.flags.certFile, KeyFile: s.flags.keyFile, Renewed: s.renewed, Log: s.program.connectionLog()})
	if err != nil {
		return err
	}
	plain, err := s.serve(s.flags.metricsAddr)
	if err != nil {
		return errors.Join(err, server.Close(s.stopping))
	}
	s.routes.Ready(true)
	s.program.warn("webhook: https://%s allows each request, at any path\n", server.Address())
	return errors.Join(s.compare(server), plain.close())
}

// compare compares requests until a signal comes or a server breaks down, and then what waits.
func (s *shadowing) compare(server *reviewserver.Server) error {
	stop := s.stopping
	comparing, giveUp := context.WithCancel(context.WithoutCancel(stop))
	defer giveUp()
	s.stopping = comparing
	compared := make(chan error, 1)
	go func() { compared <- s.paced(s.fromElsewhere(s.reviews(comparing)), s.take) }()
	var failed error
	select {
	case <-stop.Done():
	case <-server.Ended():
	case failed = <-compared:
		compared <- nil
	}
	s.routes.Ready(false)
	closing, cancel := context.WithTimeout(context.WithoutCancel(stop), lastAnswers)
	defer cancel()
	failed = errors.Join(failed, server.Close(closing))
	s.queue.Close()
	defer time.AfterFunc(s.flags.grace, giveUp).Stop()
	failed = errors.Join(failed, <-compared)
	for range s.queue.Left() {
		s.requests.Skip(counters.SkippedByStop)
	}
	s.program.warn("diffrun: %s\n", s.requests.Text())
	return failed
}

// reviews gives the cases of the requests as they come.
func (s *shadowing) reviews(ctx context.Context) iter.Seq2[harness.Case, error] {
	return func(yield func(harness.Case, error) bool) {
		for review := range s.queue.Reviews(ctx) {
			if !yield(cases.Review(review), nil) {
				return
			}
		}
	}
}

// withoutTarget counts a request about a kind that no suite has, and says so once.
func (s *shadowing) withoutTarget(of schema.GroupVersionKind) (first bool) {
	s.requests.Skip(metrics.SkippedByTarget)
	first = s.leftOutCase(of)
	switch {
	case first && s.redactor != nil:
		s.program.warn("diffrun: warning: requests about kinds that no suite has a target for are not compared\n")
	case first:
		s.program.warn("diffrun: warning: requests about %s are not compared: no suite has this target\n", apiname.Target(of))
	}
	return first
}

// withoutCase counts a request that is no case.
func (s *shadowing) withoutCase(reason string) {
	s.requests.Skip(counters.SkippedByRequest)
	s.leftOutRequest(reason)
}

// renewed says which certificate is used from now on.
func (s *shadowing) renewed(now *x509.Certificate) {
	s.program.warn("webhook: the certificate is for %s, until %s\n", fmt.Sprint(now.DNSNames, now.IPAddresses), now.NotAfter.UTC().Format(time.RFC3339))
}

// connectionLog says what is wrong with connections, for instance that an API server does not
// trust the certificate. Each request may say it again, so it is said now and then.
func (p *program) connectionLog() *log.Logger {
	return log.New(&seldom{program: p, now: rate.Sometimes{First: 10, Interval: 10 * time.Second}}, "", 0)
}

// seldom writes a line on stderr now and then.
type seldom struct {
	program *program
	now     rate.Sometimes
}

// Write writes a line, or drops it.
func (s *seldom) Write(line []byte) (int, error) {
	s.now.Do(func() { s.program.warn("diffrun: warning: webhook: %s\n", bytes.TrimSpace(line)) })
	return len(line), nil
}

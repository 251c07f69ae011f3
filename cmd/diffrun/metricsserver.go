package main

import (
	"context"
	"time"

	"github.com/diffrun/diffrun/metrics"
)

// lastScrape is how long a scrape that is under way may hold up the end.
const lastScrape = 5 * time.Second

// serving is the metrics server of a run; nil: there is none.
type serving struct{ server *metrics.Server }

// serveMetrics serves on an address while the run lasts; empty: nowhere.
func (p *program) serveMetrics(m *metrics.Metrics, address string) (*serving, error) {
	if address == "" {
		return nil, nil
	}
	server, err := m.Serve(address)
	if err != nil {
		return nil, err
	}
	p.warn("metrics: http://%s/metrics\n", server.Address())
	return &serving{server}, nil
}

func (s *serving) close() error {
	if s == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), lastScrape)
	defer cancel()
	return s.server.Close(ctx)
}

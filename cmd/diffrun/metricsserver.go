package main

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/diffrun/diffrun/internal/httpserver"
	"github.com/diffrun/diffrun/metrics"
)

// lastScrape is how long a scrape that is under way may hold up the end.
const lastScrape = 5 * time.Second

// serving is the metrics server of a run; nil: there is none.
type serving struct{ server *httpserver.Server }

// serveMetrics serves on an address while the run lasts; empty: nowhere.
func (p *program) serveMetrics(m *metrics.Metrics, address string) (*serving, error) {
	if address == "" {
		return nil, nil
	}
	routes := http.NewServeMux()
	routes.Handle("GET /metrics", m.Handler())
	server, err := httpserver.ServeMetrics(address, routes)
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
	if err := s.server.Close(ctx); err != nil {
		return fmt.Errorf("closing the metrics server on %s: %w", s.server.Address(), err)
	}
	return nil
}

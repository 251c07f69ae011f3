package metrics

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/diffrun/diffrun/internal/httpserver"
)

// headerTimeout is how long a scraper may take to say what it wants.
const headerTimeout = 10 * time.Second

// Server serves /metrics, and what else it is given, for the time of a run.
type Server struct{ server *httpserver.Server }

// Serve begins to serve /metrics on an address such as ":9090"; ":0" takes any
// free port. The error says why the address cannot be had.
func (m *Metrics) Serve(address string) (*Server, error) {
	routes := http.NewServeMux()
	routes.Handle("GET /metrics", m.Handler())
	return Serve(address, routes)
}

// Serve begins to serve routes on an address, for programs that serve /metrics among others.
func Serve(address string, routes http.Handler) (*Server, error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("cannot serve metrics on %q: %w; give an address as \"host:port\" that is free, or \":0\" for any port", address, err)
	}
	return &Server{httpserver.Serve(&http.Server{Handler: routes, ReadHeaderTimeout: headerTimeout}, listener)}, nil
}

// Address is where the server listens, as "host:port".
func (s *Server) Address() string { return s.server.Address() }

// Close takes no more scrapes and waits for those under way, until ctx ends.
// The error is also that of a server that broke down before.
func (s *Server) Close(ctx context.Context) error {
	if err := s.server.Close(ctx); err != nil {
		return fmt.Errorf("closing the metrics server on %s: %w", s.Address(), err)
	}
	return nil
}

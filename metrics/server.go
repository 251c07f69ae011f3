package metrics

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"
)

// headerTimeout is how long a scraper may take to say what it wants.
const headerTimeout = 10 * time.Second

// Server serves /metrics, and what else it is given, for the time of a run.
type Server struct {
	address string
	server  http.Server
	ended   chan struct{} // closed when Serve has returned, with err set
	err     error
}

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
	s := &Server{
		address: listener.Addr().String(),
		server:  http.Server{Handler: routes, ReadHeaderTimeout: headerTimeout},
		ended:   make(chan struct{}),
	}
	go func() {
		s.err = s.server.Serve(listener)
		close(s.ended)
	}()
	return s, nil
}

// Address is where the server listens, as "host:port".
func (s *Server) Address() string { return s.address }

// Close takes no more scrapes and waits for those under way, until ctx ends.
// The error is also that of a server that broke down before.
func (s *Server) Close(ctx context.Context) error {
	err := s.server.Shutdown(ctx)
	if err != nil {
		err = errors.Join(err, s.server.Close())
	}
	<-s.ended
	if !errors.Is(s.err, http.ErrServerClosed) {
		err = errors.Join(err, s.err)
	}
	if err != nil {
		return fmt.Errorf("closing the metrics server on %s: %w", s.address, err)
	}
	return nil
}

package soak

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"sync/atomic"
	"time"
)

// headerTimeout is how long a client may take to say what it wants.
const headerTimeout = 10 * time.Second

// Server serves /metrics, /healthz (the process runs) and /readyz (cases are compared).
type Server struct {
	address string
	server  http.Server
	ended   chan error
	ready   atomic.Bool
}

// Serve begins to serve on an address such as ":9090"; ":0" takes any free port.
func Serve(address string, metrics http.Handler) (*Server, error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("cannot serve on %q: %w; give an address as \"host:port\" that is free, or \":0\" for any port", address, err)
	}
	s := &Server{address: listener.Addr().String(), ended: make(chan error, 1)}
	routes := http.NewServeMux()
	routes.Handle("GET /metrics", metrics)
	routes.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	routes.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if !s.ready.Load() {
			http.Error(w, "no case is compared", http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, "ok")
	})
	s.server = http.Server{Handler: routes, ReadHeaderTimeout: headerTimeout}
	go func() { s.ended <- s.server.Serve(listener) }()
	return s, nil
}

// Address is where the server listens, as "host:port".
func (s *Server) Address() string { return s.address }

// Ready says whether cases are compared, for /readyz.
func (s *Server) Ready(ready bool) { s.ready.Store(ready) }

// Close takes no more requests and waits for those under way, until ctx ends.
func (s *Server) Close(ctx context.Context) error {
	err := s.server.Shutdown(ctx)
	if err != nil {
		err = errors.Join(err, s.server.Close())
	}
	if ended := <-s.ended; !errors.Is(ended, http.ErrServerClosed) {
		err = errors.Join(err, ended)
	}
	if err != nil {
		return fmt.Errorf("closing the server on %s: %w", s.address, err)
	}
	return nil
}

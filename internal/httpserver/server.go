package httpserver

import (
	"context"
	"errors"
	"net"
	"net/http"
)

// Server is an http.Server that serves until Close.
type Server struct {
	address string
	server  *http.Server
	ended   chan struct{} // closed when Serve has returned, with err set
	err     error
}

// Serve starts to serve on a listener. If the server has a TLSConfig, it speaks TLS.
func Serve(server *http.Server, listener net.Listener) *Server {
	s := &Server{address: listener.Addr().String(), server: server, ended: make(chan struct{})}
	go func() {
		defer close(s.ended)
		if server.TLSConfig != nil {
			s.err = server.ServeTLS(listener, "", "")
		} else {
			s.err = server.Serve(listener)
		}
	}()
	return s
}

// Address returns the address of the server, as "host:port".
func (s *Server) Address() string { return s.address }

// Ended is closed when the server stops taking connections, after Close or an error.
func (s *Server) Ended() <-chan struct{} { return s.ended }

// Close stops taking requests and waits for those in progress, until ctx ends. It also returns an
// earlier error of the server.
func (s *Server) Close(ctx context.Context) error {
	err := s.server.Shutdown(ctx)
	if err != nil {
		err = errors.Join(err, s.server.Close())
	}
	<-s.ended
	if !errors.Is(s.err, http.ErrServerClosed) {
		err = errors.Join(err, s.err)
	}
	return err
}

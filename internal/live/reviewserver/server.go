package reviewserver

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"log"
	"net"
	"net/http"
	"time"

	"github.com/diffrun/diffrun/internal/httpserver"
)

// Limits of a connection. API servers keep connections for 90 seconds, so they close them first.
const (
	headerTimeout = 5 * time.Second
	readTimeout   = 10 * time.Second
	writeTimeout  = 10 * time.Second
	idleTimeout   = 2 * time.Minute
	maxHeader     = 64 << 10
)

// Options of a Server.
type Options struct {
	// Address is the host and port.
	Address string
	// CertFile and KeyFile are the certificate and its key, in PEM. They are read again at the
	// next handshake after a change.
	CertFile, KeyFile string
	// Renewed is called with each certificate, the first at the start. It is optional.
	Renewed func(*x509.Certificate)
	// Unreadable is called if changed files cannot be used, once for each error in a row. The old
	// certificate stays in use. It is optional.
	Unreadable func(error)
	// Log receives errors of connections. It is optional.
	Log *log.Logger
}

// Server serves a handler over HTTPS.
type Server struct{ server *httpserver.Server }

// Serve starts a server. It returns an error if the address or the certificate cannot be used.
func Serve(handler http.Handler, options Options) (*Server, error) {
	certificate, err := newCertificate(options)
	if err != nil {
		return nil, fmt.Errorf("the certificate %s with the key %s cannot be used: %w", options.CertFile, options.KeyFile, err)
	}
	listener, err := net.Listen("tcp", options.Address)
	if err != nil {
		return nil, fmt.Errorf("cannot serve on %q: %w; give an address as \"host:port\" that is free", options.Address, err)
	}
	return &Server{httpserver.Serve(&http.Server{
		Handler: handler, ErrorLog: options.Log,
		TLSConfig:         &tls.Config{GetCertificate: certificate.get, MinVersion: tls.VersionTLS12},
		ReadHeaderTimeout: headerTimeout, ReadTimeout: readTimeout, WriteTimeout: writeTimeout, IdleTimeout: idleTimeout,
		MaxHeaderBytes: maxHeader,
	}, listener)}, nil
}

// Address returns the address of the server, as "host:port".
func (s *Server) Address() string { return s.server.Address() }

// Ended is closed when the server stops taking connections, after Close or an error.
func (s *Server) Ended() <-chan struct{} { return s.server.Ended() }

// Close stops taking requests and waits for those in progress, until ctx ends.
func (s *Server) Close(ctx context.Context) error {
	if err := s.server.Close(ctx); err != nil {
		return fmt.Errorf("closing the webhook on %s: %w", s.Address(), err)
	}
	return nil
}

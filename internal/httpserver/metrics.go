package httpserver

import (
	"fmt"
	"net"
	"net/http"
	"time"
)

// headerTimeout is how long a scraper may take to send its headers.
const headerTimeout = 10 * time.Second

// ServeMetrics serves routes, /metrics among them, on an address such as ":9090". ":0" takes any free
// port.
func ServeMetrics(address string, routes http.Handler) (*Server, error) {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("cannot serve metrics on %q: %w; give an address as \"host:port\" that is free, or \":0\" for any port",
			address, err)
	}
	return Serve(&http.Server{Handler: routes, ReadHeaderTimeout: headerTimeout}, listener), nil
}

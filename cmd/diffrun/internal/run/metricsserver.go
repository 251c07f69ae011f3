package run

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/internal/httpserver"
)

// LastScrape is how long a scrape in progress may delay the end.
const LastScrape = 5 * time.Second

// Serve serves metrics on an address, announces it, and returns the function that stops the server.
// Without an address it serves nothing.
func Serve(c *terminal.Console, routes http.Handler, address, announcement string) (stop func() error, err error) {
	if address == "" {
		return func() error { return nil }, nil
	}
	server, err := httpserver.ServeMetrics(address, routes)
	if err != nil {
		return nil, err
	}
	c.Warn(announcement, server.Address())
	return func() error {
		ctx, cancel := context.WithTimeout(context.Background(), LastScrape)
		defer cancel()
		if err := server.Close(ctx); err != nil {
			return fmt.Errorf("closing the metrics server on %s: %w", server.Address(), err)
		}
		return nil
	}, nil
}

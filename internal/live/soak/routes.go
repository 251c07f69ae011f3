package soak

import (
	"fmt"
	"net/http"
	"sync/atomic"
)

// Routes serve /metrics, /healthz (the process runs) and /readyz (cases are compared).
type Routes struct {
	http.ServeMux
	ready atomic.Bool
}

// NewRoutes returns routes that are not ready.
func NewRoutes(metrics http.Handler) *Routes {
	r := &Routes{}
	r.Handle("GET /metrics", metrics)
	r.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	r.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if !r.ready.Load() {
			http.Error(w, "no case is compared", http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(w, "ok")
	})
	return r
}

// Ready sets the answer of /readyz: whether cases are compared.
func (r *Routes) Ready(ready bool) { r.ready.Store(ready) }

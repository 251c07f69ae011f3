// Package httpserver serves HTTP in the background: [Serve] on a listener, [ServeMetrics] on an
// address of its own. A [Server] reports where it listens and when it ended.
package httpserver

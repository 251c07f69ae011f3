// Package httpserver runs an HTTP server beside something else.
//
// What comes in is an http.Server and a listener. What comes out is a [Server], which says
// where it listens and when it ended, and can be closed. Left to others: what is served.
package httpserver

//go:build go1.22

package recorder

import (
	"bytes"
	"io"
	"net/http"
)

// writer keeps the bytes that are written to another writer.
type writer struct {
	http.ResponseWriter
	written bytes.Buffer
}

// Write writes to the other writer and keeps the bytes.
func (w *writer) Write(p []byte) (int, error) {
	n, err := w.ResponseWriter.Write(p)
	w.written.Write(p[:max(n, 0)])
	return n, err
}

// WriteString calls WriteString of the other writer, if it has the method.
func (w *writer) WriteString(s string) (int, error) {
	n, err := io.WriteString(w.ResponseWriter, s)
	w.written.WriteString(s[:max(n, 0)])
	return n, err
}

// Unwrap returns the other writer, for http.ResponseController.
func (w *writer) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// closeNotifier is http.CloseNotifier, which is deprecated and still in use.
type closeNotifier interface{ CloseNotify() <-chan bool }

// asIs returns the writer with exactly the optional methods of the other writer, because handlers ask
// for them. It is nil if that has a combination that neither the servers of net/http nor their
// wrappers have.
func (w *writer) asIs() http.ResponseWriter {
	type (
		flusher  = http.Flusher
		hijacker = http.Hijacker
		pusher   = http.Pusher
	)
	f, flushes := w.ResponseWriter.(flusher)
	h, hijacks := w.ResponseWriter.(hijacker)
	p, pushes := w.ResponseWriter.(pusher)
	n, notifies := w.ResponseWriter.(closeNotifier)
	switch [4]bool{flushes, hijacks, pushes, notifies} {
	case [4]bool{}:
		return w
	case [4]bool{true}:
		return struct {
			*writer
			flusher
		}{w, f}
	case [4]bool{false, true}:
		return struct {
			*writer
			hijacker
		}{w, h}
	case [4]bool{true, true}:
		return struct {
			*writer
			flusher
			hijacker
		}{w, f, h}
	case [4]bool{true, true, false, true}: // of HTTP/1
		return struct {
			*writer
			flusher
			hijacker
			closeNotifier
		}{w, f, h, n}
	case [4]bool{true, false, true, true}: // of HTTP/2
		return struct {
			*writer
			flusher
			pusher
			closeNotifier
		}{w, f, p, n}
	}
	return nil
}

//go:build go1.22

package recorder

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"strings"
)

// NoReview is the reason why most requests of HTTP handlers are not recorded.
const NoReview = "the request of the HTTP handler is not an AdmissionReview"

// Other reasons why a request is not recorded.
const (
	noAnswer = "the HTTP handler does not answer with an AdmissionReview"
	patches  = "the response patches the object: the webhook changes objects"
)

// served is a request that an HTTP handler is answering.
type served struct {
	request *http.Request
	// users is the body of the caller, ours is the one that the handler reads.
	users io.ReadCloser
	ours  *body
	// answered returns the bytes that the handler has written so far.
	answered func() []byte
}

// Serve begins a call of an HTTP handler. The values are those of Start. The handler notices no
// difference: it can read the whole body of the request, and its writer has the same methods.
func Serve(f *Function, w *http.ResponseWriter, r *http.Request, values ...any) *Call {
	if folder == "" || r == nil || *w == nil {
		return nil
	}
	c := &Call{line: Line{Function: f.Name}, goroutine: goroutineID()}
	if inside(c.goroutine) && !f.Nested {
		return skip(f, nestedCall)
	}
	users := r.Body
	review, ours := readReview(r)
	if review == nil {
		return skip(f, NoReview)
	}
	if f.Receiver != "" {
		c.takeReceiver(values[0])
	}
	answered := watch(w)
	if answered == nil {
		return skip(f, fmt.Sprintf("the http.ResponseWriter, a %T, has methods that cannot be kept", *w))
	}
	c.line.Request = review
	c.served = &served{request: r, users: users, ours: ours, answered: answered}
	c.begin()
	return c
}

// end records the answer, or returns the reason if it is not an AdmissionReview.
func (s *served) end(line *Line) (skipped string) {
	if s.request.Body == s.ours && s.ours.drained() {
		s.request.Body = s.users
	}
	var answer json.RawMessage
	if json.NewDecoder(bytes.NewReader(s.answered())).Decode(&answer) != nil || !isReview(answer, "response", "allowed") {
		return noAnswer
	}
	line.Response = answer
	return ""
}

// isReview reports whether a document is an AdmissionReview with a part that has a key.
func isReview(data []byte, part, key string) bool {
	var review struct{ APIVersion, Kind string }
	var parts map[string]json.RawMessage
	var inside map[string]json.RawMessage
	if json.Unmarshal(data, &review) != nil || json.Unmarshal(data, &parts) != nil || json.Unmarshal(parts[part], &inside) != nil {
		return false
	}
	return inside[key] != nil && (review.Kind == "" || review.Kind == "AdmissionReview") &&
		(review.APIVersion == "" || strings.HasPrefix(review.APIVersion, "admission.k8s.io/"))
}

// changes reports whether a response patches the object, in the form of the API or in that of
// controller-runtime, which encodes the patch later.
func changes(response []byte, results []any) bool {
	var review struct {
		Patch    []byte
		Response struct{ Patch []byte }
	}
	if json.Unmarshal(response, &review) == nil && len(review.Patch)+len(review.Response.Patch) > 0 {
		return true
	}
	for _, result := range results {
		if v := reflect.Indirect(reflect.ValueOf(result)); v.Kind() == reflect.Struct {
			if list := v.FieldByName("Patches"); list.IsValid() && list.Kind() == reflect.Slice && list.Len() > 0 {
				return true
			}
		}
	}
	return false
}

// maxReview is the number of bytes that are read of a request. An API server sends objects of at most
// 3 MB, and at most two of them in a review.
const maxReview = 16 << 20

// readReview returns the AdmissionReview of a request and restores the body. The review is nil if the
// body is something else. Then only what is needed to find that out is read.
func readReview(r *http.Request) (review json.RawMessage, ours *body) {
	if r.Body == nil || r.Body == http.NoBody {
		return nil, nil
	}
	ours = &body{rest: r.Body}
	decoder := json.NewDecoder(io.LimitReader(readerFunc(ours.keep), maxReview))
	var document json.RawMessage
	if token, err := firstByte(ours); err == nil && token == '{' && decoder.Decode(&document) == nil &&
		isReview(document, "request", "operation") {
		review = document
	}
	ours.kept = ours.all
	r.Body = ours
	return review, ours
}

// firstByte returns the first byte that is not a space.
func firstByte(b *body) (byte, error) {
	for {
		if text := bytes.TrimLeft(b.all, " \t\r\n"); len(text) > 0 {
			b.kept = b.all
			return text[0], nil
		}
		buffer := make([]byte, 512)
		n, err := b.rest.Read(buffer)
		b.all = append(b.all, buffer[:n]...)
		if err != nil {
			b.err = err
			if n == 0 {
				return 0, err
			}
		}
	}
}

// body is the body of a request that was partly read.
type body struct {
	rest io.ReadCloser
	all  []byte // all bytes read from rest
	kept []byte // the bytes to be read again
	err  error  // the error that followed them
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }

// keep reads the kept bytes and then the rest, which it keeps.
func (b *body) keep(p []byte) (int, error) {
	if len(b.kept) > 0 {
		n := copy(p, b.kept)
		b.kept = b.kept[n:]
		return n, nil
	}
	if b.err != nil {
		return 0, b.err
	}
	n, err := b.rest.Read(p)
	b.all, b.err = append(b.all, p[:n]...), err
	return n, err
}

// Read reads the kept bytes and then the rest.
func (b *body) Read(p []byte) (int, error) {
	if len(b.kept) > 0 {
		n := copy(p, b.kept)
		b.kept = b.kept[n:]
		return n, nil
	}
	if err := b.err; err != nil {
		b.err = nil
		return 0, err
	}
	return b.rest.Read(p)
}

func (b *body) Close() error { return b.rest.Close() }

// drained reports whether all kept bytes were read again.
func (b *body) drained() bool { return len(b.kept) == 0 && b.err == nil }

// watch returns a function that returns the bytes that a handler writes from now on. A recorder of
// package httptest has them already; any other writer is replaced. The function is nil if that is not
// possible.
func watch(w *http.ResponseWriter) func() []byte {
	if t := reflect.TypeOf(*w); t.Kind() == reflect.Pointer && t.Elem().PkgPath() == "net/http/httptest" &&
		t.Elem().Kind() == reflect.Struct {
		if written, is := reflect.ValueOf(*w).Elem().FieldByName("Body").Interface().(*bytes.Buffer); is && written != nil {
			before := written.Len()
			return func() []byte { return slices.Clone(written.Bytes()[min(before, written.Len()):]) }
		}
	}
	watched := &writer{ResponseWriter: *w}
	as := watched.asIs()
	if as == nil {
		return nil
	}
	*w = as
	return watched.written.Bytes
}

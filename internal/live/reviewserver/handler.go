package reviewserver

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"

	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/admission"
	"github.com/diffrun/diffrun/internal/live/counters"
)

// Handler allows each review and puts it into a queue. A body that is not a review is a bad request. It
// may be used by many goroutines.
type Handler struct {
	Queue    *Queue
	Requests *counters.Requests
	// Redact keeps the content of requests out of refusals.
	Redact bool
}

// ServeHTTP answers one request.
func (h *Handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	began := time.Now()
	answer, code, err := h.answer(r)
	if err != nil {
		if code == http.StatusMethodNotAllowed {
			w.Header().Set("Allow", http.MethodPost)
		}
		http.Error(w, h.refusal(code, err), code)
	} else {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write(answer) // a disconnected API server would not read an error
	}
	h.Requests.Answered(code, time.Since(began))
}

// refusal returns the text of a refusal.
func (h *Handler) refusal(code int, err error) string {
	if h.Redact && code != http.StatusMethodNotAllowed {
		return "the request is not an AdmissionReview that can be read; --redact leaves out why"
	}
	return err.Error()
}

// answer returns the answer to a request, or the code and the error of a refusal. A panic is a refusal,
// and the API server continues without an answer.
func (h *Handler) answer(r *http.Request) (answer []byte, code int, err error) {
	code = http.StatusInternalServerError
	defer contract.Recover(&err)
	if r.Method != http.MethodPost {
		return nil, http.StatusMethodNotAllowed, errors.New("an AdmissionReview is sent by POST")
	}
	room := r.ContentLength
	if room < 0 {
		room = admission.MaxRequest
	}
	switch {
	case room > admission.MaxRequest:
		return h.unkept(r.Body, counters.SkippedByBody)
	case !h.Queue.reserve(room):
		return h.unkept(r.Body, counters.SkippedByQueue)
	}
	return h.kept(r, room)
}

// kept answers a review and queues it. Its room in the queue is reserved.
func (h *Handler) kept(r *http.Request, room int64) (answer []byte, code int, err error) {
	queued := false
	defer func() {
		if !queued {
			h.Queue.release(room)
		}
	}()
	review, err := read(r)
	if err != nil {
		return nil, http.StatusBadRequest, fmt.Errorf("reading the request: %w", err)
	}
	if len(review) > admission.MaxRequest {
		return h.unkept(io.MultiReader(bytes.NewReader(review), r.Body), counters.SkippedByBody)
	}
	of, err := readHead(review)
	if err != nil {
		return nil, http.StatusBadRequest, err
	}
	if answer, err = of.allowed(); err != nil {
		return nil, http.StatusInternalServerError, err
	}
	queued = true
	if !h.Queue.put(review, room) {
		h.Requests.Skip(counters.SkippedByStop)
	}
	return answer, http.StatusOK, nil
}

// read reads a body. The API server sends its length.
func read(r *http.Request) ([]byte, error) {
	if r.ContentLength < 0 {
		return io.ReadAll(io.LimitReader(r.Body, admission.MaxRequest+1))
	}
	review := make([]byte, r.ContentLength)
	_, err := io.ReadFull(r.Body, review)
	return review, err
}

// unkept answers a review that is not kept. It reads the rest of the body, because a client may send
// everything before it reads the answer.
func (h *Handler) unkept(body io.Reader, reason words.SkipReason) (answer []byte, code int, err error) {
	of, err := readBeginning(body)
	if err != nil {
		return nil, http.StatusRequestEntityTooLarge, err
	}
	if answer, err = of.allowed(); err != nil {
		return nil, http.StatusInternalServerError, err
	}
	_, _ = io.Copy(io.Discard, body) // the time to read a request is bounded
	h.Requests.Skip(reason)
	return answer, http.StatusOK, nil
}

package webhook

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/admission"
)

// Backend asks a webhook. It implements harness.Backend and io.Closer.
type Backend struct {
	options Options
	http    *http.Client
	// answers is true after an answer, until the webhook is given up. If it disappears in between,
	// it is assumed to restart.
	answers atomic.Bool
	// deserted counts the cases in a row that were given up because nothing listened at the
	// address.
	deserted atomic.Int32
}

// New returns a backend. It reads the certificates and does not connect. The error lists everything
// that is wrong with the options.
func New(options Options) (*Backend, error) {
	security, err := options.check()
	if err != nil {
		return nil, err
	}
	transport := &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		TLSClientConfig:     security,
		TLSHandshakeTimeout: 10 * time.Second,
		ForceAttemptHTTP2:   true, // a custom TLS configuration disables it
		MaxIdleConnsPerHost: 64,   // over HTTP/1 each parallel case keeps a connection
		IdleConnTimeout:     90 * time.Second,
	}
	client := &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return &Backend{options: options, http: client}, nil
}

// Name is "native".
func (*Backend) Name() string { return contract.NativeName }

// Validate asks the webhook about the input and records its warnings. The error is a fault: there
// is no answer, or it is not an AdmissionReview.
func (b *Backend) Validate(ctx context.Context, in *harness.Input) (field.ErrorList, error) {
	return b.client().Validate(ctx, in)
}

// Capabilities implements contract.Capable: webhooks validate deletions.
func (*Backend) Capabilities() contract.Capabilities {
	return contract.Capabilities{ValidatesDeletes: true}
}

// Mutate asks the webhook, as a mutating one, how it changes the object of the input; nil means not
// at all. It implements world.Mutator. The error is a fault as in Validate, or the patch cannot be
// applied.
func (b *Backend) Mutate(ctx context.Context, in *harness.Input) (map[string]any, field.ErrorList, error) {
	return b.client().Mutate(ctx, in)
}

func (b *Backend) client() admission.Client {
	return admission.Client{At: b.options.URL, Exchange: b.exchange}
}

// exchange sends a request and reads the response.
func (b *Backend) exchange(ctx context.Context, q *admission.Question) (admission.Decision, error) {
	response, err := b.ask(ctx, q.Body)
	if err != nil {
		return admission.Decision{}, err // names the URL
	}
	decision, err := q.Read(response)
	if err != nil {
		return admission.Decision{}, fmt.Errorf("%s: %w", b.options.URL, err)
	}
	return decision, nil
}

// Close closes the idle connections.
func (b *Backend) Close() error {
	b.http.CloseIdleConnections()
	return nil
}

const (
	// attempts is how often to try to connect to a webhook that is not there.
	attempts = 4
	// maxWaits is how many cases in a row may wait for a webhook at whose address nothing listens.
	// Later cases try once: a thousand of them would wait for minutes.
	maxWaits = 3
	// maxPause is the longest time between two attempts.
	maxPause = 800 * time.Millisecond
	// maxDowntime is how long to wait for a webhook that was there, unless the context ends first.
	maxDowntime = 30 * time.Second
)

// ask posts a request, and retries if the connection fails. It waits for a webhook that has
// answered before, so that a restart loses no case. After a wait in vain it does not wait until
// the webhook answers again, and soon each case tries only once.
func (b *Backend) ask(ctx context.Context, body []byte) ([]byte, error) {
	until := lastAttempt(ctx)
	broken := 0
	for attempt := 1; ; attempt++ {
		response, err := b.post(ctx, body)
		deserted := errors.Is(err, syscall.ECONNREFUSED)
		if !deserted {
			b.deserted.Store(0)
			broken++
		}
		if err == nil || !isConnectionError(err) {
			b.answers.Store(b.answers.Load() || err == nil)
			return response, err
		}
		failed := tried(attempt, err)
		pause := min(50*time.Millisecond<<min(attempt, 8), maxPause)
		switch waits := b.answers.Load(); {
		case broken >= attempts: // it is up, and fails on this case
			return nil, failed
		case waits && time.Now().Add(pause).After(until):
			b.answers.Store(false)
			return nil, failed
		case !waits && deserted && b.deserted.Load() >= maxWaits:
			return nil, fmt.Errorf("nothing listened there for the last cases either; %w", failed)
		case !waits && attempt >= attempts:
			if deserted {
				b.deserted.Add(1)
			}
			return nil, failed
		}
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return nil, errors.Join(failed, ctx.Err())
		}
	}
}

func tried(times int, err error) error {
	if times == 1 {
		return fmt.Errorf("tried once: %w", err)
	}
	return fmt.Errorf("tried %d times: %w", times, err)
}

// lastAttempt returns when to give up: early enough to report why.
func lastAttempt(ctx context.Context) time.Time {
	until := time.Now().Add(maxDowntime)
	if deadline, set := ctx.Deadline(); set {
		if early := deadline.Add(-time.Until(deadline) / 10); early.Before(until) {
			return early
		}
	}
	return until
}

// post sends a request once.
func (b *Backend) post(ctx context.Context, body []byte) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, b.options.URL, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json")
	if err := b.authorize(request); err != nil {
		return nil, err
	}
	response, err := b.http.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	said, err := io.ReadAll(io.LimitReader(response.Body, admission.MaxResponse+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: reading the response: %w", b.options.URL, err)
	case response.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("%s answered with HTTP status %s: %s", b.options.URL, response.Status, admission.FailureOf(said))
	case len(said) > admission.MaxResponse:
		return nil, fmt.Errorf("%s answered with more than %d MiB", b.options.URL, admission.MaxResponse>>20)
	}
	return said, nil
}

// authorize adds the bearer token. It reads the file each time, because tokens of service accounts
// are rotated.
func (b *Backend) authorize(request *http.Request) error {
	if b.options.TokenFile == "" {
		return nil
	}
	token, err := readToken(b.options.TokenFile)
	if err != nil {
		return err
	}
	request.Header.Set("Authorization", "Bearer "+token)
	return nil
}

func readToken(file string) (string, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return "", fmt.Errorf("tokenFile: %w", err)
	}
	token := strings.TrimSpace(string(data))
	if token == "" || strings.ContainsAny(token, " \t\r\n") {
		return "", fmt.Errorf("tokenFile: %s has no token on a line of its own", file)
	}
	return token, nil
}

// isConnectionError reports whether a connection could not be made or broke. A retry does not help
// with other errors: time-outs, certificates, answers of the webhook.
func isConnectionError(err error) bool {
	if timeout := (interface{ Timeout() bool })(nil); errors.As(err, &timeout) && timeout.Timeout() {
		return false
	}
	for _, broken := range []error{
		syscall.ECONNREFUSED,
		syscall.ECONNRESET,
		syscall.ECONNABORTED,
		syscall.EPIPE,
		io.EOF,
		io.ErrUnexpectedEOF,
		net.ErrClosed,
	} {
		if errors.Is(err, broken) {
			return true
		}
	}
	// net/http does not export the errors of HTTP/2.
	for _, broken := range []string{
		"http2: server sent GOAWAY", "http2: Transport received Server's graceful shutdown GOAWAY",
		"http2: client connection lost", "http2: client conn could not be established", "http: server closed idle connection",
	} {
		if strings.Contains(err.Error(), broken) {
			return true
		}
	}
	return false
}

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
	"github.com/diffrun/diffrun/internal/admission"
)

// Backend asks a webhook. It implements harness.Backend and io.Closer.
type Backend struct {
	options Options
	http    *http.Client
	// answers says that the webhook has answered and was not given up since: when it
	// is gone, it is being started again.
	answers atomic.Bool
	// deserted counts the cases in a row that were given up because nothing listens
	// at the address.
	deserted atomic.Int32
}

// New makes a backend. It reads the certificates and does not connect. The error says
// everything that is wrong with the options.
func New(options Options) (*Backend, error) {
	security, err := options.check()
	if err != nil {
		return nil, err
	}
	transport := &http.Transport{
		Proxy:               http.ProxyFromEnvironment,
		TLSClientConfig:     security,
		TLSHandshakeTimeout: 10 * time.Second,
		ForceAttemptHTTP2:   true, // a TLS configuration of one's own switches it off
		MaxIdleConnsPerHost: 64,   // over HTTP/1 each of as many parallel cases keeps its connection
		IdleConnTimeout:     90 * time.Second,
	}
	client := &http.Client{
		Transport:     transport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return &Backend{options: options, http: client}, nil
}

// Name is "native".
func (*Backend) Name() string { return harness.NativeName }

// Validate asks the webhook about the input. Its warnings are added to the answer. The
// error is a fault: there is no answer, or the answer is not an AdmissionReview.
func (b *Backend) Validate(ctx context.Context, in *harness.Input) (field.ErrorList, error) {
	return b.client().Validate(ctx, in)
}

// Capabilities implements harness.Capable: webhooks look at deletions.
func (*Backend) Capabilities() harness.Capabilities {
	return harness.Capabilities{ValidatesDeletes: true}
}

// Mutate asks the webhook, as a mutating one, how it changes the object of the input; nil:
// not at all. It makes a Backend a world.Mutator. The error is a fault, as that of
// Validate, or the patch of the webhook cannot be applied.
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
		return admission.Decision{}, err // says the URL
	}
	decision, err := q.Read(response)
	if err != nil {
		return admission.Decision{}, fmt.Errorf("%s: %w", b.options.URL, err)
	}
	return decision, nil
}

// Close closes the connections that are kept open.
func (b *Backend) Close() error {
	b.http.CloseIdleConnections()
	return nil
}

const (
	// attempts is how often a connection is tried to a webhook that is not there.
	attempts = 4
	// patience is how many cases in a row may wait for a webhook at whose address
	// nothing listens; those behind them try once. A thousand cases would take minutes.
	patience = 3
	// maxPause is the longest time between two attempts.
	maxPause = 800 * time.Millisecond
	// maxDowntime is how long one that was there is waited for, where the context
	// does not end before.
	maxDowntime = 30 * time.Second
)

// ask posts a request, again where the connection fails. A webhook that has answered
// before is waited for: whoever starts it anew loses no case. Once that was in vain,
// it is not waited for any more until it answers; soon each case tries once.
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
		case broken >= attempts: // it is there, and breaks over this case
			return nil, failed
		case waits && time.Now().Add(pause).After(until):
			b.answers.Store(false)
			return nil, failed
		case !waits && deserted && b.deserted.Load() >= patience:
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

// lastAttempt is when to give up: early enough to say why.
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

// authorize adds the bearer token. The file is read each time: tokens of
// service accounts are replaced while they are in use.
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
		return "", fmt.Errorf("tokenFile: %s holds no token on a line of its own", file)
	}
	return token, nil
}

// isConnectionError tells a connection that could not be made or that broke
// from everything that another try would not change: time-outs, certificates,
// what the webhook answered.
func isConnectionError(err error) bool {
	if timeout := (interface{ Timeout() bool })(nil); errors.As(err, &timeout) && timeout.Timeout() {
		return false
	}
	for _, broken := range []error{syscall.ECONNREFUSED, syscall.ECONNRESET, syscall.ECONNABORTED, syscall.EPIPE, io.EOF, io.ErrUnexpectedEOF, net.ErrClosed} {
		if errors.Is(err, broken) {
			return true
		}
	}
	// Of HTTP/2, net/http keeps the types to itself.
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

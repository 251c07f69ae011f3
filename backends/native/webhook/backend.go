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
	"syscall"
	"time"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/native/admission"
	"github.com/diffrun/diffrun/harness"
)

// Backend asks a webhook. It implements harness.Backend and io.Closer.
type Backend struct {
	options Options
	client  *http.Client
}

// New reads the certificates; it connects to nothing. The error says all that
// is wrong with the options.
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
	return &Backend{options: options, client: client}, nil
}

// Name is "native".
func (*Backend) Name() string { return "native" }

// Validate asks the webhook about the input. The error is a fault: there is no
// answer, or it is no AdmissionReview.
func (b *Backend) Validate(ctx context.Context, in *harness.Input) (field.ErrorList, error) {
	request, err := admission.NewRequest(in, b.options.Request)
	if err != nil {
		return nil, err
	}
	response, err := b.ask(ctx, request.Body)
	if err != nil {
		return nil, err // says the URL
	}
	errs, err := request.Errors(response)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", b.options.URL, err)
	}
	return errs, nil
}

// Close drops the connections that are kept.
func (b *Backend) Close() error {
	b.client.CloseIdleConnections()
	return nil
}

// attempts is how often a connection is tried.
const attempts = 4

// ask posts a request, again where the connection fails.
func (b *Backend) ask(ctx context.Context, body []byte) ([]byte, error) {
	var failed error
	for attempt := range attempts {
		if attempt > 0 {
			select {
			case <-time.After(50 * time.Millisecond << attempt):
			case <-ctx.Done():
				return nil, errors.Join(failed, ctx.Err())
			}
		}
		response, err := b.post(ctx, body)
		if err == nil || !isConnectionError(err) {
			return response, err
		}
		failed = fmt.Errorf("tried %d times: %w", attempt+1, err)
	}
	return nil, failed
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
	response, err := b.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	said, err := io.ReadAll(io.LimitReader(response.Body, admission.MaxResponse+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: reading the response: %w", b.options.URL, err)
	case response.StatusCode != http.StatusOK:
		return nil, fmt.Errorf("%s answered with HTTP status %s: %s", b.options.URL, response.Status, admission.Beginning(said))
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

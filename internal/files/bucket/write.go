package bucket

import (
	"context"
	"errors"
	"fmt"
	"io"

	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"
)

// Writer writes an object as a whole. The old content stays until Close.
//
// Like outfile.File, it reports errors in Close only.
type Writer struct {
	name   string
	to     *blob.Writer
	cancel context.CancelFunc
	failed error
}

// Create prepares to write an object. It returns an error if the bucket cannot be reached.
func Create(ctx context.Context, name string) (*Writer, error) {
	if _, err := Check(ctx, name); err != nil {
		return nil, err
	}
	bucket, key, err := open(ctx, name)
	if err != nil {
		return nil, err
	}
	writing, cancel := context.WithCancel(context.WithoutCancel(ctx))
	to, err := bucket.NewWriter(writing, key, nil)
	if err != nil {
		cancel()
		return nil, named(name, err)
	}
	return &Writer{name: name, to: to, cancel: cancel}, nil
}

// Check returns why an object cannot be written. later is true if the cause may pass, such as a network
// that does not answer, so that it need not be a mistake.
func Check(ctx context.Context, name string) (later bool, err error) {
	bucket, _, err := open(ctx, name)
	if err != nil {
		return false, err
	}
	// Credentials that may only write are refused when they list.
	switch there, err := bucket.IsAccessible(ctx); {
	case gcerrors.Code(err) == gcerrors.PermissionDenied:
	case err != nil:
		return true, named(name, err)
	case !there:
		return false, named(name, errors.New("there is no such bucket, or these credentials may not see it"))
	}
	return false, nil
}

// Write adds a part of the content.
func (w *Writer) Write(text []byte) (int, error) {
	if w.failed == nil {
		_, w.failed = w.to.Write(text)
	}
	return len(text), nil
}

// Fail prevents Close from writing incomplete content, if err is not nil. Close then returns err.
func (w *Writer) Fail(err error) {
	if w.failed == nil {
		w.failed = err
	}
}

// Close replaces the old content, or discards incomplete content.
func (w *Writer) Close() error {
	if w.failed != nil {
		return errors.Join(named(w.name, w.failed), w.Discard())
	}
	defer w.cancel()
	if err := w.to.Close(); err != nil {
		return named(w.name, fmt.Errorf("it was not stored: %w", err))
	}
	return nil
}

// Discard keeps the old content.
func (w *Writer) Discard() error {
	w.cancel()
	_ = w.to.Close() // it reports the cancellation
	return nil
}

// Abandon is Discard for a process that is about to exit.
func (w *Writer) Abandon() { w.cancel() }

// ended reports whether a list is complete, and returns why it is not.
func ended(name string, err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return named(name, err)
}

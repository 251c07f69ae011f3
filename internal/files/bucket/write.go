package bucket

import (
	"context"
	"errors"
	"fmt"
	"io"

	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"
)

// Writer writes an object as a whole: until it is closed, what was there stays.
//
// Writing never fails, as with outfile.File. Close gives the error.
type Writer struct {
	name   string
	to     *blob.Writer
	cancel context.CancelFunc
	failed error
}

// Create prepares to write an object, or says why its bucket cannot be reached.
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

// Check says why nothing can be written to an object. Later: what is wrong is not known to be a
// mistake, and may pass, as when a network does not answer.
func Check(ctx context.Context, name string) (later bool, err error) {
	bucket, _, err := open(ctx, name)
	if err != nil {
		return false, err
	}
	// What may only write may not list, which this does.
	switch there, err := bucket.IsAccessible(ctx); {
	case gcerrors.Code(err) == gcerrors.PermissionDenied:
	case err != nil:
		return true, named(name, err)
	case !there:
		return false, named(name, errors.New("there is no such bucket, or these credentials may not see it"))
	}
	return false, nil
}

// Write takes a part of the content.
func (w *Writer) Write(text []byte) (int, error) {
	if w.failed == nil {
		_, w.failed = w.to.Write(text)
	}
	return len(text), nil
}

// Fail keeps content that is not whole, for an error that is not nil, from its place; Close
// then gives the error.
func (w *Writer) Fail(err error) {
	if w.failed == nil {
		w.failed = err
	}
}

// Close puts the content in its place. What is not whole is thrown away.
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

// Discard leaves what was there before.
func (w *Writer) Discard() error {
	w.cancel()
	_ = w.to.Close() // it says that it was cancelled
	return nil
}

// Abandon is Discard for a process that is about to end.
func (w *Writer) Abandon() { w.cancel() }

// ended says that a list came to its end, or why it did not.
func ended(name string, err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return named(name, err)
}

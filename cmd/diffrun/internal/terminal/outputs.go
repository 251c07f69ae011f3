package terminal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/diffrun/diffrun/internal/files/bucket"
	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/internal/files/outfile"
)

// Output is one value of -o: a format, and a file. Without a file, it goes to stdout.
type Output struct{ Format, File string }

// label names an output with a file in messages.
func (o Output) label() string { return "-o " + o.Format + "=" + o.File }

// ParseOutputs parses the values of -o. Only one can go to stdout; Files checks that no two share a
// file. checkFormat returns an error for an unknown format.
func ParseOutputs(values []string, checkFormat func(format string) error) ([]Output, error) {
	var outputs []Output
	used := map[string]string{}
	for _, value := range values {
		format, file, hasFile := strings.Cut(value, "=")
		if hasFile && file == "" {
			return nil, fmt.Errorf("-o %s names no file; write -o %s=FILE, or -o %s for stdout", value, format, format)
		}
		if err := checkFormat(format); err != nil {
			return nil, fmt.Errorf("-o %s: %w", value, err)
		}
		if other, is := used[file]; is && !hasFile {
			return nil, fmt.Errorf("-o %s and -o %s go to the same place; write one of them as %s=FILE", other, value, format)
		}
		used[file] = value
		outputs = append(outputs, Output{format, file})
	}
	return outputs, nil
}

// OutputFiles are the files that a command is writing. Close installs all of them; until then the old
// files stay as they were.
type OutputFiles struct {
	mu    sync.Mutex // an interrupt may come while they are opened
	files []*OutputFile
}

// OutputFile is a file or an object that is being written. Write never fails; Close returns the error.
type OutputFile struct {
	label string
	staged
}

// staged has the common methods of outfile.File and bucket.Writer.
type staged interface {
	io.Writer
	// Fail prevents an incomplete file from being installed.
	Fail(err error)
	Close() error
	Discard() error
	Abandon()
}

// Open opens the file of an output.
func (f *OutputFiles) Open(ctx context.Context, out Output) (*OutputFile, error) {
	return f.OpenFile(ctx, out.label(), out.File)
}

// OpenFile opens a file, or an object by its URL. Messages name it by its label.
func (f *OutputFiles) OpenFile(ctx context.Context, label, name string) (*OutputFile, error) {
	opened := &OutputFile{label: label}
	var err error
	if bucket.Is(name) {
		opened.staged, err = bucket.Create(ctx, name)
	} else {
		opened.staged, err = outfile.Open(ctx, name)
	}
	if err != nil {
		return nil, fmt.Errorf("%s cannot be written: %w", label, infile.Cause(err))
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.files = append(f.files, opened)
	return opened, nil
}

// Close installs the files.
func (f *OutputFiles) Close() error {
	var errs []error
	for _, file := range f.files {
		if err := file.Close(); err != nil {
			errs = append(errs, fmt.Errorf("%s was not written: %w", file.label, err))
		}
	}
	return errors.Join(errs...)
}

// Discard leaves all files as they were.
func (f *OutputFiles) Discard() error {
	var errs []error
	for _, file := range f.files {
		errs = append(errs, file.Discard())
	}
	return errors.Join(errs...)
}

// Abandon removes temporary files when the process is about to end.
func (f *OutputFiles) Abandon() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, file := range f.files {
		file.Abandon()
	}
}

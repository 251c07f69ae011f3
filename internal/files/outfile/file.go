package outfile

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// File is a file that is being written. It reports errors in Close only, because one file that cannot
// be written must not end a run that writes others as well.
type File struct {
	name   string      // as the user wrote it
	path   string      // where it leads
	old    fs.FileInfo // the existing file to replace; nil: none
	file   *os.File
	direct bool // file is the target of the name; otherwise it is staged
	buffer *bufio.Writer
	failed error
}

// Open prepares to write a file. It returns an error if the file cannot be written. For a pipe it waits
// until there is a reader or the context ends.
func Open(ctx context.Context, name string) (*File, error) {
	f, err := open(ctx, name)
	if err != nil {
		return nil, named(err, name)
	}
	f.buffer = bufio.NewWriter(f.file)
	return f, nil
}

// Write writes a whole file.
func Write(name string, content []byte) error {
	f, err := Open(context.Background(), name)
	if err != nil {
		return err
	}
	_, _ = f.Write(content) // never fails
	return f.Close()
}

func open(ctx context.Context, name string) (*File, error) {
	switch {
	case name == "":
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	case os.IsPathSeparator(name[len(name)-1]):
		return nil, isDirectory(name)
	}
	path, descriptor := follow(name)
	f := &File{name: name, path: path}
	if descriptor >= 0 {
		f.direct = true
		file, err := duplicate(descriptor, name)
		f.file = file
		return f, err
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return f, f.stage(0o666) // less the umask
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, isDirectory(name)
	case !info.Mode().IsRegular():
		f.direct = true
		f.file, err = openDirect(ctx, path)
		return f, err
	}
	f.old = info
	if err := checkWritable(path); err != nil {
		return nil, err
	}
	return f, f.stage(info.Mode().Perm())
}

func isDirectory(name string) error {
	return &fs.PathError{Op: "write", Path: name, Err: errors.New("is a directory")}
}

// openDirect opens a pipe or a device. For a pipe it waits until there is a reader.
func openDirect(ctx context.Context, path string) (*os.File, error) {
	type opened struct {
		file *os.File
		err  error
	}
	done := make(chan opened, 1)
	go func() {
		file, err := os.OpenFile(path, os.O_WRONLY, 0)
		done <- opened{file, err}
	}()
	select {
	case o := <-done:
		return o.file, o.err
	case <-ctx.Done():
		return nil, &fs.PathError{Op: "open", Path: path, Err: fmt.Errorf("it has no reader: %w", context.Cause(ctx))}
	}
}

// checkWritable opens a file for writing without changing it. Replacing a write-protected file would
// succeed and surprise its owner.
func checkWritable(path string) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return file.Close()
}

// Write adds a part of the content.
func (f *File) Write(text []byte) (int, error) {
	if f.failed == nil {
		_, f.failed = f.buffer.Write(text)
	}
	return len(text), nil
}

// Fail prevents Close from writing incomplete content, if err is not nil. Close then returns err.
func (f *File) Fail(err error) {
	if f.failed == nil {
		f.failed = err
	}
}

// Close replaces the old content, or discards incomplete content.
func (f *File) Close() error {
	err := f.failed
	if err == nil {
		err = f.buffer.Flush()
	}
	whole := err == nil && !f.direct
	replace := whole && f.old != nil && inherit(f.file, f.old)
	if closing := f.file.Close(); err == nil {
		err = closing
	}
	if whole && err == nil {
		err = f.install(replace)
	}
	f.Abandon()
	return named(err, f.name)
}

// Discard keeps the old content.
func (f *File) Discard() error {
	err := f.file.Close()
	f.Abandon()
	return named(err, f.name)
}

// Abandon removes the staged file, for a process that is about to exit. Close then writes nothing. It
// may be called concurrently with other methods.
func (f *File) Abandon() {
	if !f.direct {
		_ = os.Remove(f.file.Name()) // no file is left if Close was faster
	}
}

// named adds the name that the user gave to an error.
func named(err error, name string) error {
	if at := (*fs.PathError)(nil); errors.As(err, &at) {
		return &fs.PathError{Op: at.Op, Path: name, Err: at.Err}
	}
	if at := (*os.LinkError)(nil); errors.As(err, &at) {
		return &fs.PathError{Op: at.Op, Path: name, Err: at.Err}
	}
	return err
}

package infile

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
)

// Disk is the file system of the shell: names are relative to the working directory or absolute, may
// contain "..", and have slashes on every system.
type Disk struct {
	// Context ends reading. Optional.
	Context context.Context
}

// Open opens a file. For a pipe it waits until there is a writer.
func (d Disk) Open(name string) (fs.File, error) {
	file, err := os.Open(filepath.FromSlash(name))
	if err != nil || d.Context == nil {
		return file, err
	}
	return &abortable{file, d.Context}, nil
}

// abortable is a file whose reading ends with a context, because it may be very large.
type abortable struct {
	*os.File
	context context.Context
}

func (a *abortable) Read(into []byte) (int, error) {
	if err := a.context.Err(); err != nil {
		return 0, err
	}
	return a.File.Read(into)
}

// Stat describes a file without opening it.
func (Disk) Stat(name string) (fs.FileInfo, error) { return os.Stat(filepath.FromSlash(name)) }

// ReadFile returns the content of a file on disk.
func ReadFile(name string) ([]byte, error) { return Read(Disk{}, filepath.ToSlash(name)) }

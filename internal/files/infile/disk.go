package infile

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
)

// Disk is the file system as the shell sees it: names are relative to the working
// directory or absolute, may go up with "..", and have slashes on every system.
type Disk struct {
	// Context ends what is read when it ends; nil: nothing does.
	Context context.Context
}

// Open opens a file. To open a pipe waits for its writer.
func (d Disk) Open(name string) (fs.File, error) {
	file, err := os.Open(filepath.FromSlash(name))
	if err != nil || d.Context == nil {
		return file, err
	}
	return &abortable{file, d.Context}, nil
}

// abortable is a file that cannot be read any more when a context has ended: it may be
// so large that nobody waits for its end.
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

// Stat looks at a file and does not open it.
func (Disk) Stat(name string) (fs.FileInfo, error) { return os.Stat(filepath.FromSlash(name)) }

// ReadFile gives the content of a file on disk.
func ReadFile(name string) ([]byte, error) { return Read(Disk{}, filepath.ToSlash(name)) }

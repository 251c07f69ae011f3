package infile

import (
	"io/fs"
	"os"
	"path/filepath"
)

// Disk is the file system as the shell sees it: names are relative to the working
// directory or absolute, may go up with "..", and have slashes on every system.
type Disk struct{}

// Open opens a file. To open a pipe waits for its writer.
func (Disk) Open(name string) (fs.File, error) { return os.Open(filepath.FromSlash(name)) }

// Stat looks at a file and does not open it.
func (Disk) Stat(name string) (fs.FileInfo, error) { return os.Stat(filepath.FromSlash(name)) }

// ReadFile gives the content of a file on disk.
func ReadFile(name string) ([]byte, error) { return Read(Disk{}, filepath.ToSlash(name)) }

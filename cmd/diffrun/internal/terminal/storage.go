package terminal

import (
	"context"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/diffrun/diffrun/internal/files/bucket"
	"github.com/diffrun/diffrun/internal/files/infile"
)

// Storage returns the files on disk, and the objects of buckets by their URLs.
func Storage(ctx context.Context) fs.FS {
	return bucket.FS{FS: infile.Disk{Context: ctx}, Context: ctx}
}

// OpenInput opens stdin for "-", a file, or an object by its URL.
func (c *Console) OpenInput(ctx context.Context, name string) (io.ReadCloser, error) {
	switch {
	case name == infile.Stdin:
		return io.NopCloser(c.Stdin), nil
	case !bucket.Is(name):
		name = filepath.ToSlash(name)
	}
	return Storage(ctx).Open(name)
}

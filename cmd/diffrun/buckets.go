package main

import (
	"context"
	"io"
	"io/fs"
	"path/filepath"

	_ "gocloud.dev/blob/azureblob" // azblob://container/key
	_ "gocloud.dev/blob/fileblob"  // file:///folder/key
	_ "gocloud.dev/blob/gcsblob"   // gs://bucket/key
	_ "gocloud.dev/blob/memblob"   // mem://bucket/key, for tests
	_ "gocloud.dev/blob/s3blob"    // s3://bucket/key

	"github.com/diffrun/diffrun/internal/files/bucket"
	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/internal/files/outfile"
)

// disk has the files of users: those on disk, and objects of buckets by their URLs.
func disk(ctx context.Context) fs.FS {
	return bucket.FS{FS: infile.Disk{Context: ctx}, Context: ctx}
}

// openFile opens a file, or an object by its URL.
func openFile(ctx context.Context, name string) (fs.File, error) {
	if !bucket.Is(name) {
		name = filepath.ToSlash(name)
	}
	return disk(ctx).Open(name)
}

// destination is a file or an object that is being written. Write never fails.
type destination interface {
	io.Writer
	// Fail keeps what is not whole from its place.
	Fail(err error)
	// Close puts the content in its place; the error says why it is not there.
	Close() error
	// Discard leaves what was there before, and Abandon does it for a process that ends.
	Discard() error
	Abandon()
}

// createFile prepares to write a file, or an object by its URL.
func createFile(ctx context.Context, name string) (destination, error) {
	if bucket.Is(name) {
		return bucket.Create(ctx, name)
	}
	return outfile.Open(ctx, name)
}

// samePlace says whether two names are of one file or object.
func samePlace(one, other string) bool {
	if bucket.Is(one) || bucket.Is(other) {
		return one == other
	}
	return outfile.Same(one, other)
}

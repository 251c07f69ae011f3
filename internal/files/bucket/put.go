package bucket

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"

	"github.com/diffrun/diffrun/internal/files/outfile"
)

// PutNew writes an object unless it exists, and reports whether it did. If several processes call it
// at the same time, exactly one of them writes.
func PutNew(ctx context.Context, name string, content []byte) (written bool, err error) {
	in, key, err := open(ctx, name)
	if err != nil {
		return false, err
	}
	if dir, is := folder(name); is {
		return putNewFile(filepath.Join(dir, key), content)
	}
	err = in.WriteAll(ctx, key, content, &blob.WriterOptions{IfNotExist: true})
	switch gcerrors.Code(err) {
	case gcerrors.OK:
		return true, nil
	case gcerrors.FailedPrecondition, gcerrors.AlreadyExists:
		return false, nil
	}
	return false, named(name, fmt.Errorf("it was not stored: %w", err))
}

// putNewFile writes the object of a file URL. The driver would check first and write afterwards, so
// another process could write in between.
func putNewFile(file string, content []byte) (bool, error) {
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return false, err
	}
	return outfile.WriteNew(file, content)
}

// folder returns the directory that is the bucket of a file URL.
func folder(name string) (string, bool) {
	at, err := find(name)
	if err != nil {
		return "", false
	}
	is, err := url.Parse(at.bucket)
	if err != nil || is.Scheme != "file" {
		return "", false
	}
	dir := is.Path
	if os.PathSeparator != '/' {
		dir = strings.TrimPrefix(dir, "/") // file:///C:/folder
	}
	return filepath.FromSlash(dir), true
}

// Join returns the URL of an object below a URL, which may end in a slash and have a query.
func Join(base string, parts ...string) string {
	place, query, has := strings.Cut(base, "?")
	joined := strings.TrimRight(place, "/")
	if strings.HasSuffix(joined, ":") { // file:///
		joined += "//"
	}
	joined += "/" + strings.Join(parts, "/")
	if has {
		joined += "?" + query
	}
	return joined
}

package bucket

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"path"
	"slices"
	"strings"
	"sync"

	"gocloud.dev/blob"
	"gocloud.dev/gcerrors"
)

// Is reports whether a name is the URL of an object.
func Is(name string) bool {
	scheme, _, found := strings.Cut(name, "://")
	return found && scheme != "" && strings.Trim(scheme, "abcdefghijklmnopqrstuvwxyz0123456789") == ""
}

// place is the URL of a bucket and the key of an object in it.
type place struct{ bucket, key string }

// find splits a URL. A key may be a pattern, so not every question mark begins a query.
func find(name string) (place, error) {
	scheme, rest, _ := strings.Cut(name, "://")
	rest, query, _ := strings.Cut(rest, "?")
	of, key, _ := strings.Cut(rest, "/")
	if scheme == "file" {
		// A folder is the bucket, so that a relative path cannot be meant: the host is empty.
		if of != "" {
			return place{}, errors.New("the path of a file URL is absolute; write three slashes, as in file:///folder")
		}
		of, key = path.Dir("/"+key), path.Base(key)
		query = strings.TrimPrefix(query+"&create_dir=true&no_tmp_dir=true&metadata=skip", "&")
	}
	if key == "" || key == "." || strings.HasSuffix(key, "/") {
		return place{}, fmt.Errorf("the URL names no object; write %s://%s/KEY", scheme, strings.TrimSuffix(of, "/"))
	}
	if query != "" {
		query = "?" + query
	}
	if _, err := url.Parse(scheme + "://" + of + query); err != nil {
		return place{}, err
	}
	return place{scheme + "://" + of + query, key}, nil
}

// opened are the open buckets by URL. They stay open, because a program uses few and each keeps its
// connections.
var opened sync.Map

// open opens the bucket of an object.
func open(ctx context.Context, name string) (*blob.Bucket, string, error) {
	at, err := find(name)
	if err != nil {
		return nil, "", err
	}
	if known, found := opened.Load(at.bucket); found {
		return known.(*blob.Bucket), at.key, nil
	}
	if err := checkDriver(at.bucket); err != nil {
		return nil, "", named(name, err)
	}
	bucket, err := blob.OpenBucket(context.WithoutCancel(ctx), at.bucket)
	if err != nil {
		return nil, "", named(name, fmt.Errorf("the bucket cannot be opened: %w", err))
	}
	known, loaded := opened.LoadOrStore(at.bucket, bucket)
	if loaded {
		_ = bucket.Close() // another goroutine was faster
	}
	return known.(*blob.Bucket), at.key, nil
}

// clouds are the schemes whose drivers have so many packages that the command links them only under the
// build tag "buckets".
var clouds = []string{"azblob", "gs", "s3"}

// checkDriver returns an error if the program has no driver for the URL of a bucket.
func checkDriver(url string) error {
	scheme, _, _ := strings.Cut(url, "://")
	switch linked := blob.DefaultURLMux().BucketSchemes(); {
	case slices.Contains(linked, scheme):
		return nil
	case slices.Contains(clouds, scheme):
		return fmt.Errorf("this diffrun was built without the driver for %s://; use a released archive or image, or build with "+
			"-tags buckets", scheme)
	}
	return fmt.Errorf("there is no driver for %s://; accepted: file, %s", scheme, strings.Join(clouds, ", "))
}

// named adds the name of the object to an error, as for errors of files.
func named(name string, err error) error {
	if err == nil {
		return nil
	}
	if gcerrors.Code(err) == gcerrors.NotFound {
		err = fs.ErrNotExist
	}
	return &fs.PathError{Op: "open", Path: name, Err: err}
}

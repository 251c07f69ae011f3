package bucket

import (
	"context"
	"io/fs"
	"path"
	"strings"
	"time"

	"gocloud.dev/blob"
)

// FS has the objects of buckets by URL, and the files of another file system.
type FS struct {
	fs.FS
	// Context ends reading.
	Context context.Context
}

// Open opens an object or a file.
func (f FS) Open(name string) (fs.File, error) {
	if !Is(name) {
		return f.FS.Open(name)
	}
	bucket, key, err := open(f.Context, name)
	if err != nil {
		return nil, err
	}
	reader, err := bucket.NewReader(f.Context, key, nil)
	if err != nil {
		return nil, named(name, err)
	}
	return &object{reader, info{path.Base(key), reader.Size(), reader.ModTime()}}, nil
}

// Stat describes an object or a file.
func (f FS) Stat(name string) (fs.FileInfo, error) {
	if !Is(name) {
		return fs.Stat(f.FS, name)
	}
	bucket, key, err := open(f.Context, name)
	if err != nil {
		return nil, err
	}
	attributes, err := bucket.Attributes(f.Context, key)
	if err != nil {
		return nil, named(name, err)
	}
	return info{path.Base(key), attributes.Size, attributes.ModTime}, nil
}

// ReadDir lists a directory of the other file system.
func (f FS) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(f.FS, name) }

// Glob returns the objects or files that match a pattern, sorted. In a URL, * matches any part of a
// key except slashes.
func (f FS) Glob(pattern string) ([]string, error) {
	if !Is(pattern) {
		return fs.Glob(f.FS, pattern)
	}
	bucket, key, err := open(f.Context, pattern)
	if err != nil {
		return nil, err
	}
	if _, err := path.Match(key, ""); err != nil {
		return nil, err
	}
	prefix := key[:strings.IndexAny(key+"*", `*?[\`)]
	var names []string
	for objects := bucket.List(&blob.ListOptions{Prefix: prefix}); ; {
		one, err := objects.Next(f.Context)
		if err != nil {
			return names, ended(pattern, err)
		}
		if match, _ := path.Match(key, one.Key); match {
			names = append(names, strings.Replace(pattern, key, one.Key, 1))
		}
	}
}

// object is an object that is being read.
type object struct {
	*blob.Reader
	info info
}

func (o *object) Stat() (fs.FileInfo, error) { return o.info, nil }

// info describes an object as a regular file.
type info struct {
	name     string
	size     int64
	modified time.Time
}

func (i info) Name() string       { return i.name }
func (i info) Size() int64        { return i.size }
func (i info) Mode() fs.FileMode  { return 0o444 }
func (i info) ModTime() time.Time { return i.modified }
func (i info) IsDir() bool        { return false }
func (i info) Sys() any           { return nil }

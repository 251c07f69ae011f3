package upgrading

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/diffrun/diffrun/internal/files/documents"
	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/internal/text/jsonerrors"
	"github.com/diffrun/diffrun/userfile"
)

// Read reads the files of -f, before a cluster is read or a release is built, which takes minutes. skipped are files in
// folders that hold no objects. The error has all mistakes of all files. disk has the files of the operating system.
func (f *Flags) Read(disk fs.FS, stdin io.Reader) (skipped []string, err error) {
	f.inputs = overlay{FS: disk, made: map[string][]byte{}}
	var mistakes strictyaml.Mistakes
	for _, name := range f.files {
		found, left := []string{stdinName + ".yaml"}, []string(nil)
		if name == "-" {
			data, err := io.ReadAll(stdin)
			if err != nil {
				return nil, fmt.Errorf("-f -: reading stdin: %w", err)
			}
			if bytes.Contains(data[:min(len(data), 4096)], []byte(`"audit.k8s.io/`)) {
				found[0] = stdinName + ".jsonl"
			}
			f.inputs.made[found[0]] = data
		} else if found, left, err = manifests(disk, filepath.ToSlash(filepath.Clean(name))); err != nil {
			mistakes.Merge(name, fmt.Errorf("-f: cannot be read: %w", infile.Cause(err)))
		}
		for _, file := range found {
			mistakes.Merge(file, f.inputs.check(file, &f.counts))
		}
		f.patterns, skipped = append(f.patterns, found...), append(skipped, left...)
	}
	if len(f.patterns) == 0 && !f.cluster && len(mistakes) == 0 {
		return skipped, fmt.Errorf("-f %s: there are no objects of Kubernetes", strings.Join(f.files, " -f "))
	}
	return skipped, mistakes.Err()
}

// check returns what cannot be read in a file of objects or an audit log. A file of cases is read when the suite is
// loaded, which is before a release is built, too.
func (o overlay) check(name string, read *counts) error {
	if path.Ext(name) == ".jsonl" {
		return o.checkLines(name, read)
	}
	data, err := infile.Read(o, name)
	if err != nil {
		return infile.Cause(err)
	}
	if path.Ext(name) != ".json" && !documents.IsManifest(data) {
		return nil
	}
	var mistakes strictyaml.Mistakes
	for document := range documents.Manifest(name, data) {
		var placed userfile.Mistakes
		if document.Err != nil && !errors.As(document.Err, &placed) {
			mistakes.Addf(strictyaml.Position{File: name, Line: document.Line}, "%v", document.Err)
		} else {
			mistakes.Merge(name, document.Err)
		}
		read.add(document.Object)
	}
	return mistakes.Err()
}

// checkLines returns the lines of a log that are not JSON. What else is wrong in a line concerns its request alone: a log
// has many that are no cases.
func (o overlay) checkLines(name string, read *counts) error {
	file, err := o.Open(name)
	if err != nil {
		return infile.Cause(err)
	}
	defer file.Close()
	var mistakes strictyaml.Mistakes
	for lines := documents.NewLineReader(file); ; {
		line, err := lines.Next()
		var whole any
		switch at := (strictyaml.Position{File: name, Line: lines.Number()}); {
		case errors.Is(err, io.EOF):
			return mistakes.Err()
		case errors.Is(err, documents.ErrLongLine) || err == nil && (len(line) == 0 || json.Valid(line)):
			read.lines++
		case err != nil:
			return infile.Cause(err)
		default:
			mistakes.Addf(at, "not JSON: %v", jsonerrors.In(line, json.Unmarshal(line, &whole), "the line"))
		}
	}
}

// manifests returns a file, or the files of a folder that have objects, and those that have none.
func manifests(disk fs.FS, name string) (found, skipped []string, err error) {
	info, err := fs.Stat(disk, name)
	if err != nil {
		return nil, nil, err
	}
	if !info.IsDir() {
		return []string{name}, nil, nil
	}
	err = fs.WalkDir(disk, name, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !slices.Contains([]string{".yaml", ".yml", ".json", ".jsonl"}, filepath.Ext(file)) {
			return err
		}
		data, err := fs.ReadFile(disk, file)
		if err != nil {
			return err
		}
		if bytes.Contains(data, []byte("apiVersion")) && bytes.Contains(data, []byte("kind")) {
			found = append(found, file)
		} else {
			skipped = append(skipped, file)
		}
		return nil
	})
	return found, skipped, err
}

// overlay is a file system with further files.
type overlay struct {
	fs.FS
	made   map[string][]byte
	folder string // of the objects of the cluster; empty: there is none
}

// Open opens a file; the made ones come first.
func (o overlay) Open(name string) (fs.File, error) {
	if data, is := o.made[name]; is {
		return &madeFile{Reader: bytes.NewReader(data), name: name, size: int64(len(data))}, nil
	}
	if file, is, err := openObjects(o.folder, name); is {
		return file, err
	}
	return o.FS.Open(name)
}

// madeFile is a file in memory. It is also its fs.FileInfo.
type madeFile struct {
	*bytes.Reader
	name string
	size int64
}

func (f *madeFile) Stat() (fs.FileInfo, error) { return f, nil }
func (f *madeFile) Close() error               { return nil }
func (f *madeFile) Name() string               { return f.name }
func (f *madeFile) Size() int64                { return f.size }
func (f *madeFile) Mode() fs.FileMode          { return 0o444 }
func (f *madeFile) ModTime() time.Time         { return time.Time{} }
func (f *madeFile) IsDir() bool                { return false }
func (f *madeFile) Sys() any                   { return nil }

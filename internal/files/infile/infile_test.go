package infile_test

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/internal/files/infile"
)

// unopened is a file system in which only regular files may be opened: any other would block forever.
type unopened struct {
	fstest.MapFS
	t *testing.T
}

func (u unopened) Open(name string) (fs.File, error) {
	if info, err := u.MapFS.Stat(name); err == nil && !info.Mode().IsRegular() && !info.IsDir() {
		u.t.Errorf("%s was opened", name)
	}
	return u.MapFS.Open(name)
}

func TestSearch(t *testing.T) {
	files := unopened{fstest.MapFS{
		"d/b.yaml":       {},
		"d/a.yaml":       {},
		"d/sub/c.yaml":   {},
		"d/other.txt":    {},
		"d/pipe.yaml":    {Mode: fs.ModeNamedPipe},
		"d/pipe.txt":     {Mode: fs.ModeNamedPipe},
		"d/socket.yaml":  {Mode: fs.ModeSocket},
		"d/device.yaml":  {Mode: fs.ModeDevice},
		"d/tty.yaml":     {Mode: fs.ModeDevice | fs.ModeCharDevice},
		"d/odd.yaml":     {Mode: fs.ModeIrregular},
		"d/dir.yaml/x.a": {},
		"beside.yaml":    {},
	}, t}
	found, skipped, errs := infile.Search(files, "d", func(name string) bool { return path.Ext(name) == ".yaml" })
	if diff := cmp.Diff([]string{"d/a.yaml", "d/b.yaml", "d/sub/c.yaml"}, found); diff != "" || len(errs) > 0 {
		t.Errorf("errors %v; found: -want +got:\n%s", errs, diff)
	}
	want := []infile.Skipped{
		{"d/device.yaml", "device"},
		{"d/odd.yaml", "special file"},
		{"d/pipe.yaml", "named pipe"},
		{"d/socket.yaml", "socket"},
		{"d/tty.yaml", "device"},
	}
	if diff := cmp.Diff(want, skipped); diff != "" {
		t.Errorf("skipped: -want +got:\n%s", diff)
	}
	if _, _, errs := infile.Search(files, "none", func(string) bool { return true }); len(errs) != 1 {
		t.Errorf("errors of a directory that is not there: %v", errs)
	}
}

// large is a file that reports its size.
type large struct {
	fs.File
	size int64
	mode fs.FileMode
}

func (l large) Stat() (fs.FileInfo, error) {
	info, err := l.File.Stat()
	return largeInfo{info, l}, err
}

func (l large) Open(string) (fs.File, error) { return l, nil }

type largeInfo struct {
	fs.FileInfo
	large
}

func (l largeInfo) Size() int64       { return l.size }
func (l largeInfo) Mode() fs.FileMode { return l.mode }

// Read does not read zeros forever.
func (l large) Read(into []byte) (int, error) { return len(into), nil }

// Files that are too large are not read, whether or not they report their size.
func TestTooLarge(t *testing.T) {
	some, err := fstest.MapFS{"some": {}}.Open("some")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range []large{{some, infile.MaxSize + 1, 0}, {some, 0, fs.ModeDevice}} {
		data, err := infile.Read(file, "some")
		if err == nil || !strings.Contains(err.Error(), "is larger than 256 MiB, the most that is read of one file") {
			t.Errorf("read %d bytes, error %v", len(data), err)
		}
	}
	if data, err := infile.Read(fstest.MapFS{"some": {Data: []byte("text")}}, "some"); err != nil || string(data) != "text" {
		t.Errorf("read %q, error %v", data, err)
	}
}

func ExampleSkipped_String() {
	fmt.Println(infile.Skipped{Name: "charts/x.yaml", Kind: "named pipe"})
	// Output: charts/x.yaml is a named pipe and is skipped: only regular files are read from a directory
}

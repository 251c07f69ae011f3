package bucket_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	_ "gocloud.dev/blob/fileblob"
	_ "gocloud.dev/blob/memblob"

	"github.com/diffrun/diffrun/internal/files/bucket"
)

func write(t *testing.T, name, content string) {
	t.Helper()
	w, err := bucket.Create(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = w.Write([]byte(content))
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestRoundTrip: objects that were written are read, listed and described, in buckets of two drivers and next
// to files.
func TestRoundTrip(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "here.txt"), []byte("file"), 0o600); err != nil {
		t.Fatal(err)
	}
	files := bucket.FS{FS: os.DirFS(dir), Context: t.Context()}
	for _, root := range []string{"file://" + filepath.ToSlash(dir) + "/bucket", "mem://corpus/a"} {
		write(t, root+"/two.jsonl", "2")
		write(t, root+"/one.jsonl", "1")
		write(t, root+"/note.txt", "x")
		if text, err := fs.ReadFile(files, root+"/one.jsonl"); err != nil || string(text) != "1" {
			t.Errorf("%s: %q, %v", root, text, err)
		}
		if info, err := fs.Stat(files, root+"/two.jsonl"); err != nil || info.Name() != "two.jsonl" || info.Size() != 1 ||
			!info.Mode().IsRegular() {
			t.Errorf("%s: %v, %v", root, info, err)
		}
		found, err := fs.Glob(files, root+"/*.jsonl")
		if diff := cmp.Diff([]string{root + "/one.jsonl", root + "/two.jsonl"}, found); err != nil || diff != "" {
			t.Errorf("%v\n%s", err, diff)
		}
		if _, err := files.Open(root + "/none"); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("an object that is not there: %v", err)
		}
	}
	if found, err := fs.Glob(files, "*.txt"); err != nil || len(found) != 1 {
		t.Errorf("files: %v, %v", found, err)
	}
	if text, err := fs.ReadFile(files, "here.txt"); err != nil || string(text) != "file" {
		t.Errorf("%q, %v", text, err)
	}
}

// TestWholeOrNothing: if closing an object fails, the old object stays.
func TestWholeOrNothing(t *testing.T) {
	name := "mem://whole/report.jsonl"
	write(t, name, "before")
	for what, end := range map[string]func(*bucket.Writer) error{
		"discarded": (*bucket.Writer).Discard,
		"abandoned": func(w *bucket.Writer) error { w.Abandon(); return nil },
		"failed": func(w *bucket.Writer) error {
			w.Fail(errors.New("the run broke off"))
			if err := w.Close(); err == nil || !strings.Contains(err.Error(), "the run broke off") {
				return errors.New("Close does not say why")
			}
			return nil
		},
	} {
		w, err := bucket.Create(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		_, _ = w.Write([]byte("half"))
		if err := end(w); err != nil {
			t.Errorf("%s: %v", what, err)
		}
		text, err := fs.ReadFile(bucket.FS{Context: context.Background()}, name)
		if err != nil || string(text) != "before" {
			t.Errorf("%s: %q, %v", what, text, err)
		}
	}
}

func TestMistakes(t *testing.T) {
	files := bucket.FS{Context: t.Context()}
	for name, want := range map[string]string{
		"file://folder/key": "the path of a file URL is absolute; write three slashes, as in file:///folder",
		"mem://bucket":      "the URL names no object; write mem://bucket/KEY",
		"mem://bucket/a/":   "the URL names no object; write mem://bucket/KEY",
		"none://bucket/a":   `open none://bucket/a: there is no driver for none://; accepted: file, azblob, gs, s3`,
		"s3://bucket/a": `open s3://bucket/a: this diffrun was built without the driver for s3://; use a released archive ` +
			`or image, or build with -tags buckets`,
		"mem://bucket/a?no=1": "the bucket cannot be opened",
	} {
		if _, err := files.Open(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v; wanted %q", name, err, want)
		}
	}
	for name, want := range map[string]bool{"a/b.jsonl": false, `C:\a`: false, "s3://b/k": true, "://x": false, "-": false,
		"a b://c": false} {
		if bucket.Is(name) != want {
			t.Errorf("Is(%q) is not %v", name, want)
		}
	}
}

// TestPutNew: existing objects stay, and objects below a URL with a query are found.
func TestPutNew(t *testing.T) {
	for _, root := range []string{"file://" + filepath.ToSlash(t.TempDir()) + "/bucket", fmt.Sprint("mem://new/", time.Now().UnixNano())} {
		name := bucket.Join(root+"/", "differences", "one.txt")
		if want := root + "/differences/one.txt"; name != want {
			t.Errorf("%s, want %s", name, want)
		}
		for i, want := range []bool{true, false} {
			if written, err := bucket.PutNew(t.Context(), name, []byte(fmt.Sprint(i))); err != nil || written != want {
				t.Errorf("%s: %t, %v", name, written, err)
			}
		}
		if text, err := fs.ReadFile(bucket.FS{Context: t.Context()}, name); err != nil || string(text) != "0" {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
	for base, want := range map[string]string{
		"s3://b?region=x":    "s3://b/a/c?region=x",
		"s3://b/p/?region=x": "s3://b/p/a/c?region=x",
		"file:///":           "file:///a/c",
	} {
		if got := bucket.Join(base, "a", "c"); got != want {
			t.Errorf("%s below %s, want %s", got, base, want)
		}
	}
}

// TestPutNewAtOnce: if many processes write an object at the same moment, one succeeds. A driver that checks
// first and then writes lets several succeed.
func TestPutNewAtOnce(t *testing.T) {
	root := "file://" + filepath.ToSlash(t.TempDir())
	for i := range 200 {
		name, begin, written := fmt.Sprint(root, "/", i), make(chan struct{}), make(chan bool, 16)
		for range cap(written) {
			go func() {
				<-begin
				did, err := bucket.PutNew(t.Context(), name, []byte("a"))
				if err != nil {
					t.Error(err)
				}
				written <- did
			}()
		}
		close(begin)
		writers := 0
		for range cap(written) {
			if <-written {
				writers++
			}
		}
		if writers != 1 {
			t.Fatalf("%d of %d wrote", writers, cap(written))
		}
	}
}

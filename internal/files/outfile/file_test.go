package outfile_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/diffrun/diffrun/internal/files/outfile"
)

// inDirectory makes a directory with a file "old", and works there.
func inDirectory(t *testing.T) {
	t.Helper()
	t.Chdir(t.TempDir())
	write(t, "old", "before", 0o644)
}

func write(t *testing.T, name, content string, mode fs.FileMode) {
	t.Helper()
	if err := errors.Join(os.WriteFile(name, []byte(content), mode), os.Chmod(name, mode)); err != nil {
		t.Fatal(err)
	}
}

// holds checks the contents of a file, and that no other file is left beside it.
func holds(t *testing.T, name, want string) {
	t.Helper()
	if got, err := os.ReadFile(name); err != nil || string(got) != want {
		t.Errorf("%s holds %q (%v), want %q", name, got, err, want)
	}
	if left, _ := filepath.Glob("*.tmp"); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func open(t *testing.T, name string) *outfile.File {
	t.Helper()
	f, err := outfile.Open(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write([]byte("after")); err != nil {
		t.Fatal(err)
	}
	return f
}

// The old file stays until the new contents are complete.
func TestWhole(t *testing.T) {
	inDirectory(t)
	f := open(t, "old")
	if got, err := os.ReadFile("old"); err != nil || string(got) != "before" {
		t.Errorf("before it is closed the file holds %q (%v)", got, err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	holds(t, "old", "after")
	if err := open(t, "new").Close(); err != nil {
		t.Fatal(err)
	}
	holds(t, "new", "after")
}

// Incomplete contents leave the old file.
func TestNotWhole(t *testing.T) {
	broken := errors.New("not all of it")
	for _, tt := range []struct {
		why string
		end func(*outfile.File) error
		err error
	}{
		{"it is discarded", (*outfile.File).Discard, nil},
		{"its writer failed", func(f *outfile.File) error { f.Fail(broken); f.Fail(nil); return f.Close() }, broken},
		{"the process is about to end", func(f *outfile.File) error { f.Abandon(); return f.Close() }, fs.ErrNotExist},
		{"no error is no failure", func(f *outfile.File) error { f.Fail(nil); return f.Discard() }, nil},
	} {
		t.Run(tt.why, func(t *testing.T) {
			inDirectory(t)
			for _, name := range []string{"old", "new"} {
				if err := tt.end(open(t, name)); !errors.Is(err, tt.err) {
					t.Errorf("%s: %v, want %v", name, err, tt.err)
				}
			}
			holds(t, "old", "before")
			if _, err := os.Stat("new"); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("the new file is there (%v)", err)
			}
		})
	}
}

// Errors name the file as the user does.
func TestCannotBeWritten(t *testing.T) {
	inDirectory(t)
	if err := os.Mkdir("dir", 0o755); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct{ name, want string }{
		{"dir", "write dir: is a directory"},
		{"none/file", "open none/file: no such file or directory"},
		{"dir/", "write dir/: is a directory"},
		{"old/file", "not a directory"},
		{"new/", "write new/: is a directory"},
		{"", "open : file does not exist"},
	} {
		if err := outfile.Write(tt.name, nil); err == nil || !strings.HasSuffix(err.Error(), tt.want) {
			t.Errorf("%q: %v, want %s", tt.name, err, tt.want)
		}
	}
	holds(t, "old", "before")
}

// The context ends the wait for a reader.
func TestContextEnds(t *testing.T) {
	inDirectory(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := makePipe("pipe"); err != nil {
		t.Skip("no pipes: ", err)
	}
	if _, err := outfile.Open(ctx, "pipe"); !errors.Is(err, context.Canceled) ||
		!strings.HasPrefix(err.Error(), "open pipe: it has no reader") {
		t.Errorf("got %v", err)
	}
}

// TestWriteNew: if many processes write a file at once, one succeeds, and an existing file stays.
func TestWriteNew(t *testing.T) {
	inDirectory(t)
	var writers sync.WaitGroup
	written := make(chan string, 20)
	for i := range 20 {
		writers.Go(func() {
			did, err := outfile.WriteNew("new.txt", []byte(fmt.Sprint(i)))
			if err != nil {
				t.Error(err)
			}
			if did {
				written <- fmt.Sprint(i)
			}
		})
	}
	writers.Wait()
	if len(written) != 1 {
		t.Fatalf("%d of them wrote", len(written))
	}
	holds(t, "new.txt", <-written)
	if _, err := outfile.WriteNew("none/new.txt", nil); !errors.Is(err, fs.ErrNotExist) || strings.Contains(err.Error(), ".tmp") {
		t.Errorf("in no directory: %v", err)
	}
}

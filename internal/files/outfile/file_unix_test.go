//go:build unix

package outfile_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/diffrun/diffrun/internal/files/outfile"
)

func makePipe(name string) error { return syscall.Mkfifo(name, 0o600) }

// Everything about a file except its contents stays.
func TestStays(t *testing.T) {
	for _, tt := range []struct {
		why   string
		make  func() error
		name  string
		stays func() error
	}{
		{"few may read it", func() error { return os.Chmod("old", 0o600) }, "old", hasMode("old", 0o600)},
		{"everyone may write it, whatever the umask is", func() error { return os.Chmod("old", 0o666) }, "old", hasMode("old", 0o666)},
		{"a link", func() error { return os.Symlink("old", "link") }, "link", leadsTo("link", "old")},
		{"a link to a link", func() error { return errors.Join(os.Symlink("old", "near"), os.Symlink("near", "link")) },
			"link", leadsTo("near", "old")},
		{"two names", func() error { return os.Link("old", "other") }, "old", hasLinks("other", 2)},
		{"a link to a file with two names", func() error {
			return errors.Join(os.Link("old", "other"), os.Symlink("other", "link"))
		}, "link", hasLinks("other", 2)},
	} {
		t.Run(tt.why, func(t *testing.T) {
			inDirectory(t)
			if err := tt.make(); err != nil {
				t.Fatal(err)
			}
			if err := outfile.Write(tt.name, []byte("after")); err != nil {
				t.Fatal(err)
			}
			holds(t, "old", "after")
			if err := tt.stays(); err != nil {
				t.Error(err)
			}
		})
	}
}

func hasMode(name string, want fs.FileMode) func() error {
	return func() error {
		info, err := os.Stat(name)
		if err == nil && info.Mode() != want {
			err = fmt.Errorf("%s has mode %v, want %v", name, info.Mode(), want)
		}
		return err
	}
}

func leadsTo(name, want string) func() error {
	return func() error {
		if to, err := os.Readlink(name); err != nil || to != want {
			return fmt.Errorf("%s leads to %q (%w), want %s", name, to, err, want)
		}
		return nil
	}
}

func hasLinks(name string, want uint64) func() error {
	return func() error {
		info, err := os.Stat(name)
		if err == nil && uint64(info.Sys().(*syscall.Stat_t).Nlink) != want {
			err = fmt.Errorf("%s has not %d names", name, want)
		}
		return err
	}
}

// The owner stays, too.
func TestOwner(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root can give files to others")
	}
	inDirectory(t)
	if err := os.Chown("old", 1234, 4321); err != nil {
		t.Skip("files cannot be given to others here: ", err)
	}
	if err := outfile.Write("old", []byte("after")); err != nil {
		t.Fatal(err)
	}
	holds(t, "old", "after")
	info, err := os.Stat("old")
	if err != nil {
		t.Fatal(err)
	}
	if owner := info.Sys().(*syscall.Stat_t); owner.Uid != 1234 || owner.Gid != 4321 {
		t.Errorf("it is of user %d and group %d now", owner.Uid, owner.Gid)
	}
}

// If no file can be created in the directory, the file is overwritten in place.
func TestNothingBeside(t *testing.T) {
	inDirectory(t)
	long := strings.Repeat("x", 255) // no name is longer
	write(t, long, "before", 0o640)
	if err := outfile.Write(long, []byte("after")); err != nil {
		t.Fatal(err)
	}
	holds(t, long, "after")
	if err := hasMode(long, 0o640)(); err != nil {
		t.Error(err)
	}
}

func TestPipe(t *testing.T) {
	inDirectory(t)
	if err := makePipe("pipe"); err != nil {
		t.Fatal(err)
	}
	read := make(chan string)
	go func() {
		got, _ := os.ReadFile("pipe")
		read <- string(got)
	}()
	long := strings.Repeat("0123456789", 100_000)
	if err := outfile.Write("pipe", []byte(long)); err != nil {
		t.Fatal(err)
	}
	if got := <-read; got != long {
		t.Errorf("the reader got %d bytes, want %d", len(got), len(long))
	}
	if err := hasMode("pipe", fs.ModeNamedPipe|0o600)(); err != nil {
		t.Error(err)
	}
}

func TestDevice(t *testing.T) {
	info, err := os.Stat("/dev/full")
	if err != nil || info.Mode().IsRegular() {
		t.Skip("there is no device that is always full")
	}
	if err := outfile.Write("/dev/full", []byte("after")); !errors.Is(err, syscall.ENOSPC) ||
		!strings.HasPrefix(err.Error(), "write /dev/full: ") {
		t.Errorf("got %v", err)
	}
	if info, err := os.Stat("/dev/full"); err != nil || info.Mode().IsRegular() {
		t.Fatalf("the device is gone: %v (%v)", info, err)
	}
}

// The name of an open file of the process refers to that file: its contents are kept, and new output is
// appended.
func TestDescriptor(t *testing.T) {
	inDirectory(t)
	file, err := os.OpenFile("old", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	name := fmt.Sprintf("/dev/fd/%d", file.Fd())
	if _, err := os.Stat(name); err != nil {
		t.Skip("open files have no names: ", err)
	}
	if err := os.Symlink(name, "link"); err != nil {
		t.Fatal(err)
	}
	_, err = file.WriteString("first ")
	if err = errors.Join(err, outfile.Write(name, []byte("second ")), outfile.Write("link", []byte("third "))); err != nil {
		t.Fatal(err)
	}
	if _, err := file.WriteString("last"); err != nil {
		t.Fatal(err)
	}
	holds(t, "old", "first second third last")
	if err := outfile.Write("/dev/fd/999", nil); err == nil || !strings.HasPrefix(err.Error(), "open /dev/fd/999: ") {
		t.Errorf("a file that is not open: %v", err)
	}
}

// Files that killed processes left are removed: also that of a process with the same id, which was in a
// different container. Files that are locked, or that others created, stay.
func TestStale(t *testing.T) {
	inDirectory(t)
	ended := exec.Command("true")
	if err := ended.Run(); err != nil {
		t.Fatal(err)
	}
	stale := []string{"old." + strconv.Itoa(ended.Process.Pid) + ".tmp", "old." + strconv.Itoa(os.Getpid()) + ".tmp"}
	kept := []string{"old.1.tmp", "old.mine.tmp", "older." + strconv.Itoa(ended.Process.Pid) + ".tmp"}
	for _, name := range append(stale, kept...) {
		write(t, name, "stale", 0o600)
	}
	if err := outfile.Write("old", []byte("after")); err != nil {
		t.Fatal(err)
	}
	for _, name := range stale {
		if _, err := os.Stat(name); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s is still there (%v)", name, err)
		}
	}
	for _, name := range kept {
		if err := os.Remove(name); err != nil {
			t.Error(err)
		}
	}
	holds(t, "old", "after")
}

func TestSame(t *testing.T) {
	inDirectory(t)
	write(t, "apart", "", 0o600)
	if err := errors.Join(os.Link("old", "second"), os.Symlink("second", "link"), os.Symlink("none/../new", "dangling"),
		os.Symlink(".", "same"), os.Symlink("loop", "loop")); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		one, other string
		want       bool
	}{
		{"old", "./old", true},
		{"old", "second", true},
		{"old", "link", true},
		{"new", "dangling", true},
		{"old", "same/link", true},
		{"new", "same/same/new", true},
		{"loop", "same/loop", true},
		{"old", "loop", false},
		{"old", "apart", false},
		{"old", "new", false},
		{"new", "newer", false},
	} {
		if got := outfile.Same(tt.one, tt.other); got != tt.want {
			t.Errorf("%s and %s: %v, want %v", tt.one, tt.other, got, tt.want)
		}
	}
}

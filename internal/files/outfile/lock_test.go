package outfile_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/diffrun/diffrun/internal/files/outfile"
)

// lockedByOther names the file that this program locks for a test, in a process of its own.
const lockedByOther = "DIFFRUN_TEST_LOCK"

func TestMain(m *testing.M) {
	if name := os.Getenv(lockedByOther); name != "" {
		if _, err := outfile.LockFile(context.Background(), name, 0); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println("locked")
		_, _ = io.Copy(io.Discard, os.Stdin) // until it is killed, or nobody waits for it any more
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// TestLockOfAnotherProcess: a lock excludes other processes, names its owner, and ends with the process that
// holds it, even if that is killed.
func TestLockOfAnotherProcess(t *testing.T) {
	inDirectory(t)
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	other := exec.CommandContext(t.Context(), program)
	other.Env = append(os.Environ(), lockedByOther+"=old")
	in, err := other.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	out, err := other.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "locked\n" {
		t.Fatalf("the other process says %q, %v", line, err)
	}
	_, err = outfile.LockFile(t.Context(), "./old", 50*time.Millisecond)
	if held := (*outfile.HeldError)(nil); !errors.As(err, &held) || held.Process != other.Process.Pid ||
		err.Error() != fmt.Sprintf("./old is in use by another process (%d)", other.Process.Pid) {
		t.Errorf("got %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := outfile.LockFile(ended, "old", time.Hour); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if err := other.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = other.Wait() // it was killed
	lock, err := outfile.LockFile(t.Context(), "old", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if err := lock.Unlock(); err != nil {
		t.Error(err)
	}
	left, err := os.ReadDir(".")
	if err != nil || len(left) != 1 || left[0].Name() != "old" {
		t.Errorf("left are %v, %v", left, err)
	}
	holds(t, "old", "before")
}

// TestLockTogether: if many processes change a file at once, no change is lost.
func TestLockTogether(t *testing.T) {
	inDirectory(t)
	write(t, "old", "0", 0o600)
	const all = 40
	var changes sync.WaitGroup
	for i := range all {
		changes.Go(func() {
			lock, err := outfile.LockFile(t.Context(), []string{"old", "./old"}[i%2], time.Minute)
			if err != nil {
				t.Error(err)
				return
			}
			defer func() { _ = lock.Unlock() }()
			text, err := os.ReadFile("old")
			if err != nil {
				t.Error(err)
			}
			n, _ := strconv.Atoi(string(text))
			if err := outfile.Write("old", []byte(strconv.Itoa(n+1))); err != nil {
				t.Error(err)
			}
		})
	}
	changes.Wait()
	holds(t, "old", strconv.Itoa(all))
}

// TestLockNames: a lock applies to the file that a name leads to, even if it does not exist yet. A directory
// is locked by a file in it.
func TestLockNames(t *testing.T) {
	inDirectory(t)
	if err := os.Symlink("new", "link"); err != nil {
		t.Skip("no links: ", err)
	}
	first, err := outfile.LockFile(t.Context(), "link", 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := outfile.LockFile(t.Context(), "new", 0); !errors.As(err, new(*outfile.HeldError)) {
		t.Errorf("the file that a link leads to: %v", err)
	}
	if err := errors.Join(first.Unlock(), first.Unlock(), (*outfile.Lock)(nil).Unlock()); err != nil {
		t.Error(err)
	}
	if _, err := outfile.LockDirectory(t.Context(), "none", "lock", 0); err == nil || strings.Contains(err.Error(), "in use") {
		t.Errorf("a directory that is not there: %v", err)
	}
	directory, err := outfile.LockDirectory(t.Context(), ".", "lock", 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(".", "lock")); err != nil {
		t.Error(err)
	}
	if err := directory.Unlock(); err != nil {
		t.Error(err)
	}
}

// TestLockWhereNothingCanBeMade: if no file can be created in the directory, the file itself is locked,
// because it will be overwritten in place.
func TestLockWhereNothingCanBeMade(t *testing.T) {
	inDirectory(t)
	long := strings.Repeat("x", 255) // no name is longer
	if _, err := outfile.LockFile(t.Context(), long, 0); err == nil || errors.As(err, new(*outfile.HeldError)) {
		t.Errorf("a file that is not there and cannot be locked: %v", err)
	}
	write(t, long, "before", 0o640)
	lock, err := outfile.LockFile(t.Context(), long, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := outfile.LockFile(t.Context(), long, 0); !errors.As(err, new(*outfile.HeldError)) ||
		err.Error() != long+" is in use by another process" {
		t.Errorf("got %v", err)
	}
	if err := errors.Join(outfile.Write(long, []byte("after")), lock.Unlock()); err != nil {
		t.Error(err)
	}
	holds(t, long, "after")
	if _, err := outfile.LockFile(t.Context(), long, 0); err != nil {
		t.Error(err)
	}
}

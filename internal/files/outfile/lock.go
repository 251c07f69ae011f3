package outfile

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// lockSuffix is the suffix of the file that is locked while another file is changed.
const lockSuffix = ".lock"

// HeldError is the error if another process has a lock.
type HeldError struct {
	// Name is the locked file or directory, as the user wrote it.
	Name string
	// Process is the number of the process, perhaps on another machine or in another container. Zero
	// means unknown.
	Process int
}

func (e *HeldError) Error() string {
	if e.Process == 0 {
		return e.Name + " is in use by another process"
	}
	return fmt.Sprintf("%s is in use by another process (%d)", e.Name, e.Process)
}

// Lock is a lock of the operating system. It ends with the process that has it.
type Lock struct {
	file *os.File
	// path is the file to remove. It is empty if the locked file belongs to the user.
	path string
}

// LockFile locks a file that is about to be read, changed and replaced by [Write]. It locks another
// file beside it, because Write replaces the file. If another process does not release the lock in
// time, the error is a *HeldError.
func LockFile(ctx context.Context, name string, timeout time.Duration) (*Lock, error) {
	path, err := place(name)
	if err != nil {
		return nil, err
	}
	lock, err := waitFor(ctx, path+lockSuffix, name, timeout)
	if err == nil || errors.As(err, new(*HeldError)) || ctx.Err() != nil {
		return lock, err
	}
	// Nothing can be made beside the file, which is then written over.
	if _, cannot := os.Stat(path); cannot != nil || runtime.GOOS == "windows" {
		return nil, err
	}
	return wait(ctx, timeout, func() (*Lock, error) {
		file, err := os.Open(path)
		if err != nil {
			return nil, named(err, name)
		}
		return locked(file, name, "")
	})
}

// LockDirectory locks a directory by a file in it. It waits as LockFile does.
func LockDirectory(ctx context.Context, directory, file string, timeout time.Duration) (*Lock, error) {
	path, err := place(directory)
	if err != nil {
		return nil, err
	}
	return waitFor(ctx, path+string(os.PathSeparator)+file, directory, timeout)
}

// waitFor waits for the lock of a file, which it creates if necessary.
func waitFor(ctx context.Context, path, name string, timeout time.Duration) (*Lock, error) {
	return wait(ctx, timeout, func() (*Lock, error) {
		for {
			file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o666) // less the umask
			if err != nil {
				return nil, named(err, name)
			}
			lock, err := locked(file, name, path)
			if err != nil || lock.current() {
				return lock, err
			}
			_ = file.Close() // whoever had the lock before has removed the file
		}
	})
}

// again is the time between two attempts to get a lock.
const again = 20 * time.Millisecond

func wait(ctx context.Context, timeout time.Duration, try func() (*Lock, error)) (*Lock, error) {
	until := time.Now().Add(timeout)
	for {
		lock, err := try()
		if !errors.As(err, new(*HeldError)) || time.Now().After(until) {
			return lock, err
		}
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case <-time.After(again):
		}
	}
}

// locked locks an open file and writes the number of this process into it, unless it is the user's.
func locked(file *os.File, name, path string) (*Lock, error) {
	free, err := tryLock(file)
	switch {
	case err != nil:
		err = fmt.Errorf("%s cannot be locked: %w; its file system may have no locks", name, err)
	case !free:
		err = &HeldError{Name: name, Process: holder(file, path)}
	default:
		return &Lock{file, path}, nil
	}
	_ = file.Close()
	return nil, err
}

// current reports whether the locked file is still the one that others would lock.
func (l *Lock) current() bool {
	mine, err := l.file.Stat()
	if err != nil {
		return false
	}
	now, err := os.Stat(l.path)
	if err != nil || !os.SameFile(mine, now) {
		return false
	}
	if l.file.Truncate(0) == nil {
		_, _ = l.file.WriteAt([]byte(strconv.Itoa(os.Getpid())+"\n"), 0) // for people
	}
	return true
}

func holder(file *os.File, path string) int {
	if path == "" {
		return 0
	}
	text, _ := io.ReadAll(io.LimitReader(file, 32))
	process, _ := strconv.Atoi(strings.TrimSpace(string(text)))
	return process
}

// Unlock releases the lock. It does nothing for a nil Lock, or if it was called before.
func (l *Lock) Unlock() error {
	if l == nil || l.file == nil {
		return nil
	}
	file := l.file
	l.file = nil
	if l.path == "" {
		return file.Close()
	}
	_ = os.Remove(l.path) // before another process can have it
	err := file.Close()
	if runtime.GOOS == "windows" { // a file that is open cannot be removed there
		_ = os.Remove(l.path)
	}
	return err
}

//go:build unix

package outfile

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/diffrun/diffrun/internal/files/infile"
)

// duplicate opens the target of an open file of this process, at its position.
func duplicate(descriptor int, name string) (*os.File, error) {
	syscall.ForkLock.RLock()
	defer syscall.ForkLock.RUnlock()
	number, err := syscall.Dup(descriptor)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	syscall.CloseOnExec(number)
	return os.NewFile(uintptr(number), name), nil
}

// inherit sets the owner and the mode of a staged file to those of the file that it replaces. It returns
// false if that is not possible, or if the old file has other names, which would keep the old content.
func inherit(staged *os.File, old fs.FileInfo) bool {
	now, err := staged.Stat()
	if err != nil {
		return false
	}
	before, isBefore := old.Sys().(*syscall.Stat_t)
	after, isAfter := now.Sys().(*syscall.Stat_t)
	if !isBefore || !isAfter || before.Nlink != 1 || before.Dev != after.Dev {
		return false
	}
	if before.Uid != after.Uid || before.Gid != after.Gid {
		if err := staged.Chown(int(before.Uid), int(before.Gid)); err != nil {
			return false
		}
	}
	return staged.Chmod(old.Mode()) == nil
}

// hold locks a staged file, so that removeStale of other processes, and of other machines if the file
// system can, does not remove it.
func hold(file *os.File) { _ = lock(file) }

func lock(file *os.File) error {
	return syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}

// tryLock locks a file until it is closed. It returns false if another process has the lock.
func tryLock(file *os.File) (bool, error) {
	for {
		switch err := lock(file); {
		case err == nil:
			return true, nil
		case errors.Is(err, syscall.EWOULDBLOCK):
			return false, nil
		case !errors.Is(err, syscall.EINTR):
			return false, err
		}
	}
}

// removeStale removes staged files that killed processes have left: they are not locked and their
// process is gone. A process with the number of this one is in another container, because this process
// has not staged the file yet.
func removeStale(path string) {
	left, _ := filepath.Glob(infile.Literal(path) + ".*" + stagedSuffix)
	for _, name := range left {
		number := strings.TrimSuffix(strings.TrimPrefix(name, path+"."), stagedSuffix)
		pid, err := strconv.Atoi(number)
		if err != nil || pid <= 0 || pid != os.Getpid() && !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
			continue
		}
		if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() {
			continue // a pipe would be waited for
		}
		file, err := os.OpenFile(name, os.O_RDWR, 0)
		if err != nil {
			continue
		}
		if lock(file) == nil {
			_ = os.Remove(name)
		}
		_ = file.Close()
	}
}

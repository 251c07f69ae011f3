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

// duplicate opens what an open file of this process leads to, where that stands.
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

// inherit gives a staged file the owner and the mode of the one that it replaces. False:
// it cannot have them, or the old file has other names, which would be left behind.
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

// hold keeps a staged file from being taken for one that was left behind, as long as
// it is open; also from other machines, where the file system can.
func hold(file *os.File) { _ = lock(file) }

func lock(file *os.File) error {
	return syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
}

// tryLock locks a file until it is closed; false: another process has locked it.
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

// removeStale removes what processes that were killed have left of a file: staged files
// that nobody holds, of processes that are gone. A process of this number is either this
// one, which has not staged the file yet, or one of another container.
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

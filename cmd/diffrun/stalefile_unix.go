//go:build unix

package main

import (
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// hold keeps a staged file from being taken for one that was left behind, as long as
// it is open; also from other machines, where the file system can.
func hold(file *os.File) { _ = syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) }

// removeStale removes what runs that were killed have left of a file: staged files of
// processes that are gone, which nobody holds.
func removeStale(path string) {
	left, _ := filepath.Glob(escapeGlob(path) + ".*" + stagedSuffix)
	for _, name := range left {
		number := strings.TrimSuffix(strings.TrimPrefix(name, path+"."), stagedSuffix)
		pid, err := strconv.Atoi(number)
		if err != nil || pid <= 0 || !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
			continue
		}
		file, err := os.OpenFile(name, os.O_RDWR, 0)
		if err != nil {
			continue
		}
		if syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
			_ = os.Remove(name)
		}
		_ = file.Close()
	}
}

// escapeGlob makes a pattern that matches a path alone.
func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

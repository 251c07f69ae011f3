//go:build !unix

package outfile

import (
	"errors"
	"io/fs"
	"os"
)

// duplicate is never called: open files have no names on this system.
func duplicate(_ int, name string) (*os.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: errors.ErrUnsupported}
}

// inherit does nothing: the directory decides about permissions.
func inherit(*os.File, fs.FileInfo) bool { return true }

// hold and removeStale do nothing: whether a process is gone is unknown, so its files stay.

func hold(*os.File) {}

func removeStale(string) {}

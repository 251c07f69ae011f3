//go:build !unix

package outfile

import (
	"errors"
	"io/fs"
	"os"
)

// duplicate is never asked for: there are no names of open files.
func duplicate(_ int, name string) (*os.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: errors.ErrUnsupported}
}

// inherit leaves it to the directory who may do what with a file.
func inherit(*os.File, fs.FileInfo) bool { return true }

// Whether a process is gone cannot be told here; what it left stays.

func hold(*os.File) {}

func removeStale(string) {}

package infile

import (
	"errors"
	"io/fs"
)

// Cause gives what the system says about a file, without the name of the file and of the
// call. Messages name the file themselves.
func Cause(err error) error {
	if inner := (*fs.PathError)(nil); errors.As(err, &inner) {
		return inner.Err
	}
	return err
}

// NameIn gives the file that an error names, or else the one that was asked for.
func NameIn(err error, asked string) string {
	if inner := (*fs.PathError)(nil); errors.As(err, &inner) {
		return inner.Path
	}
	return asked
}

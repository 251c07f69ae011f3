package infile

import (
	"errors"
	"io/fs"
)

// Cause returns an error of the file system without the names of the file and the call, because
// messages name the file themselves.
func Cause(err error) error {
	if inner := (*fs.PathError)(nil); errors.As(err, &inner) {
		return inner.Err
	}
	return err
}

// NameIn returns the file that an error names, or else the given name.
func NameIn(err error, asked string) string {
	if inner := (*fs.PathError)(nil); errors.As(err, &inner) {
		return inner.Path
	}
	return asked
}

package infile

import (
	"fmt"
	"io/fs"
)

// Search returns the files in and below a directory whose names are wanted, sorted by name, and those
// that it skips because they are not regular. It follows links to files but not to directories. The
// errors are about files that cannot be accessed.
func Search(files fs.FS, directory string, wanted func(name string) bool) (found []string, skipped []Skipped, errs []error) {
	// The function returns no error, so neither does the walk.
	_ = fs.WalkDir(files, directory, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			errs = append(errs, err)
		case entry.IsDir() || !wanted(name):
		default:
			switch reason, err := Special(files, name); {
			case err != nil:
				errs = append(errs, err) // such as a dangling link
			case reason != nil:
				skipped = append(skipped, *reason)
			default:
				found = append(found, name)
			}
		}
		return nil
	})
	return found, skipped, errs
}

// Skipped is a file in a directory that is not read.
type Skipped struct{ Name, Kind string }

// String returns the message for users.
func (s Skipped) String() string {
	return fmt.Sprintf("%s is a %s and is skipped: only regular files are read from a directory", s.Name, s.Kind)
}

// Special returns why a file is only read if a user names it, or nil for a regular file or a link to
// one.
func Special(files fs.FS, name string) (*Skipped, error) {
	info, err := fs.Stat(files, name)
	if err != nil || info.Mode().IsRegular() {
		return nil, err
	}
	return &Skipped{name, Kind(info.Mode())}, nil
}

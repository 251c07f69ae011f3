package infile

import (
	"fmt"
	"io/fs"
)

// Search gives the files in and below a directory whose names are wanted, by name, and
// says of the others with such names why they are skipped. Links to files are files;
// links to directories are not followed. The errors are of what cannot be looked at.
func Search(files fs.FS, directory string, wanted func(name string) bool) (found []string, skipped []Skipped, errs []error) {
	// The function gives no error, so neither does the walk.
	_ = fs.WalkDir(files, directory, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			errs = append(errs, err)
		case entry.IsDir() || !wanted(name):
		default:
			switch reason, err := Special(files, name); {
			case err != nil:
				errs = append(errs, err) // such as a link to what is not there
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

// Skipped is a file that is not read from a directory.
type Skipped struct{ Name, Kind string }

// String says it for people.
func (s Skipped) String() string {
	return fmt.Sprintf("%s is a %s and is skipped: only regular files are read from a directory", s.Name, s.Kind)
}

// Special says why a file is not read unless a user names it; nil: it is a regular file,
// or a link to one.
func Special(files fs.FS, name string) (*Skipped, error) {
	info, err := fs.Stat(files, name)
	if err != nil || info.Mode().IsRegular() {
		return nil, err
	}
	return &Skipped{name, Kind(info.Mode())}, nil
}

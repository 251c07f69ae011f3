package cases

import (
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/diffrun/diffrun/internal/infile"
)

// SuiteFile is the name of a suite's file.
const SuiteFile = "suite.yaml"

// Files is a file system that suites are in. Places in the same Files can
// share what they refer to.
type Files struct {
	fs.FS
	// OnDisk says that the names are paths of the operating system, relative
	// to the working directory or absolute. Only such suites can name programs
	// to start, and files that others read.
	OnDisk bool
}

// Place is a file in a file system.
type Place struct {
	Files *Files
	Name  string
}

// Find gives the suites at a path: a suite file, the suite of a directory, or all suites
// below the directory, by name. It skips suite files that are not regular files, such as
// pipes; skipped has a text about each.
func (f *Files) Find(name string) (found []Place, skipped []string, err error) {
	info, err := fs.Stat(f.FS, name)
	if err != nil {
		return nil, nil, err
	}
	if !info.IsDir() {
		return []Place{{f, name}}, nil, nil
	}
	if own := path.Join(name, SuiteFile); f.has(own) {
		return []Place{{f, own}}, nil, nil
	}
	err = fs.WalkDir(f.FS, name, func(at string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == "testdata" && at != name:
			return fs.SkipDir // as the go command does
		case entry.IsDir() || entry.Name() != SuiteFile:
			return nil
		}
		switch special, err := infile.Special(f.FS, at); {
		case err != nil:
			return fmt.Errorf("%s cannot be read: %v", at, infile.Cause(err)) // no error of the path that was asked for
		case special != nil:
			skipped = append(skipped, special.String())
		default:
			found = append(found, Place{f, at})
		}
		return nil
	})
	if err != nil {
		return nil, skipped, err
	}
	if len(found) == 0 {
		return nil, skipped, fmt.Errorf("no %s in or below %s; if the file of the suite has another name, give its path", SuiteFile, name)
	}
	return found, skipped, nil
}

// has says whether there is a file, or something that pretends to be one and cannot be
// looked at. A pipe is none, and neither is a directory.
func (f *Files) has(name string) bool {
	special, err := infile.Special(f.FS, name)
	return special == nil && !errors.Is(err, fs.ErrNotExist)
}

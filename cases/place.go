package cases

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
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

// Find gives the suites that a path means: the file itself, the suite of a
// directory, or all suites below it, by name.
func (f *Files) Find(name string) ([]Place, error) {
	info, err := fs.Stat(f, name)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return []Place{{f, name}}, nil
	}
	if own := path.Join(name, SuiteFile); f.has(own) {
		return []Place{{f, own}}, nil
	}
	var found []Place
	err = fs.WalkDir(f, name, func(at string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == "testdata" && at != name:
			return fs.SkipDir // as the go command does
		case !entry.IsDir() && entry.Name() == SuiteFile:
			found = append(found, Place{f, at})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("there is no %s in or below %s; a suite whose file has another name is named by that", SuiteFile, name)
	}
	return found, nil
}

func (f *Files) has(name string) bool {
	_, err := fs.Stat(f, name)
	return !errors.Is(err, fs.ErrNotExist)
}

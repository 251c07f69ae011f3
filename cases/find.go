package cases

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
)

// SuiteFile is the name of a suite's file.
const SuiteFile = "suite.yaml"

// Find gives the suites that a path means: the file itself, the suite of a
// directory, or all suites below it, by name.
func Find(fsys fs.FS, name string) ([]string, error) {
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return nil, err
	}
	if !info.IsDir() {
		return []string{name}, nil
	}
	if own := path.Join(name, SuiteFile); exists(fsys, own) {
		return []string{own}, nil
	}
	var found []string
	err = fs.WalkDir(fsys, name, func(at string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && entry.Name() == "testdata" && at != name:
			return fs.SkipDir // as the go command does
		case !entry.IsDir() && entry.Name() == SuiteFile:
			found = append(found, at)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("there is no %s in or below %s", SuiteFile, name)
	}
	return found, nil
}

func exists(fsys fs.FS, name string) bool {
	_, err := fs.Stat(fsys, name)
	return !errors.Is(err, fs.ErrNotExist)
}

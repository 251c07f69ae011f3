package cases

import (
	"errors"
	"fmt"
	"io/fs"
	"path"

	"github.com/diffrun/diffrun/cases/internal/casefile"
	"github.com/diffrun/diffrun/internal/files/infile"
)

// SuiteFile is the file name of a suite.
const SuiteFile = "suite.yaml"

// Files is a file system with suites. Places in the same Files can share files.
type Files struct {
	fs.FS
	// OnDisk is true if names are paths of the operating system, relative to the working directory
	// or absolute. Only suites on disk can start programs and name files that other programs read.
	OnDisk bool
}

// Location is a file in a file system.
type Location struct {
	Files *Files
	Name  string
}

// Find returns the suites at a path: the suite file itself, the suite in the directory, or all
// suites below the directory, sorted by name. It skips suite files that are not regular files,
// such as pipes, and returns a text about each in skipped. Suites of gator, which have the same name, are
// files of cases.
func (f *Files) Find(name string) (found []Location, skipped []string, err error) {
	info, err := fs.Stat(f.FS, name)
	if err != nil {
		return nil, nil, err
	}
	if !info.IsDir() {
		return []Location{{f, name}}, nil, nil
	}
	if own := path.Join(name, SuiteFile); f.has(own) {
		return []Location{{f, own}}, nil, nil
	}
	err = fs.WalkDir(f.FS, name, func(at string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fmt.Errorf("%s cannot be read: %w", at, infile.Cause(err))
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
		case casefile.IsSamples(f.FS, at):
		default:
			found = append(found, Location{f, at})
		}
		return nil
	})
	if err != nil {
		return nil, skipped, err
	}
	if len(found) == 0 {
		return nil, skipped, fmt.Errorf("no %s in or below %s; if the file of the suite has a different name, name its path", SuiteFile, name)
	}
	return found, skipped, nil
}

// has reports whether a file exists, or may exist but cannot be accessed. Pipes and directories do
// not count.
func (f *Files) has(name string) bool {
	special, err := infile.Special(f.FS, name)
	return special == nil && !errors.Is(err, fs.ErrNotExist)
}

package cases

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/cases/internal/casefile"
	"github.com/diffrun/diffrun/internal/files/documents"
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

// suitesFolder is the folder in which "diffrun init" writes suites.
const suitesFolder = "diffrun"

// Find returns the suites at a path: the suite file itself, the suites that lie in the directory (Lying), or all
// suites below it, sorted by name. It skips suite files that are not regular files, such as pipes, and returns a
// text about each in skipped. Suites of gator, which have the same name, are files of cases.
func (f *Files) Find(name string) (found []Location, skipped []string, err error) {
	info, err := fs.Stat(f.FS, name)
	if err != nil {
		return nil, nil, err
	}
	if !info.IsDir() {
		return []Location{{f, name}}, nil, nil
	}
	found, skipped, err = f.Lying(name)
	if len(found) > 0 || err != nil {
		return found, skipped, err
	}
	if found, skipped, err = f.below(name); err != nil {
		return nil, skipped, err
	}
	if len(found) == 0 {
		return nil, skipped, fmt.Errorf("no %s in or below %s%s", SuiteFile, name, otherNames(f.OtherSuites(name)))
	}
	return found, skipped, nil
}

// otherNames tells a user who named a folder how to name the suites in it.
func otherNames(beside []string) string {
	if len(beside) == 0 {
		return "; if the file of the suite has a different name, name its path"
	}
	return "; suites with other names lie there, name their paths: " + strings.Join(beside, ", ")
}

// Lying returns the suites that a directory has for itself: its own suite file, and those in or below its folder
// diffrun. It returns none if there are none; others may be below the directory.
func (f *Files) Lying(directory string) (found []Location, skipped []string, err error) {
	if own := path.Join(directory, SuiteFile); f.has(own) || f.isBrokenLink(own) {
		if found, skipped, err = f.consider(own, nil, nil); err != nil {
			return nil, nil, err
		}
	}
	folder := path.Join(directory, suitesFolder)
	if info, err := fs.Stat(f.FS, folder); err != nil || !info.IsDir() {
		return found, skipped, nil
	}
	written, special, err := f.below(folder)
	return append(found, written...), append(skipped, special...), err
}

// below returns the suites in or below a directory.
func (f *Files) below(directory string) (found []Location, skipped []string, err error) {
	err = fs.WalkDir(f.FS, directory, func(at string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return fmt.Errorf("%s cannot be read: %w", at, infile.Cause(err))
		case entry.IsDir() && entry.Name() == "testdata" && at != directory:
			return fs.SkipDir // as the go command does
		case entry.IsDir() || entry.Name() != SuiteFile:
			return nil
		}
		found, skipped, err = f.consider(at, found, skipped)
		return err
	})
	return found, skipped, err
}

// consider adds a file with the name of a suite to those that are found, or skipped.
func (f *Files) consider(at string, found []Location, skipped []string) ([]Location, []string, error) {
	switch special, err := infile.Special(f.FS, at); {
	case err != nil:
		return found, skipped, fmt.Errorf("%s cannot be read: %v", at, infile.Cause(err)) // no error of the path that was asked for
	case special != nil:
		skipped = append(skipped, special.String())
	case casefile.IsSamples(f.FS, at):
	default:
		found = append(found, Location{f, at})
	}
	return found, skipped, nil
}

// OtherSuites returns the paths of suites that a directory has under other names, and of the folders in it that have a
// suite, sorted. Of an unreadable directory it returns none.
func (f *Files) OtherSuites(directory string) []string {
	entries, err := fs.ReadDir(f.FS, directory)
	if err != nil {
		return nil
	}
	var found []string
	for _, entry := range entries {
		switch at := path.Join(directory, entry.Name()); {
		case entry.IsDir() && f.has(path.Join(at, SuiteFile)):
			found = append(found, at)
		case !entry.IsDir() && slices.Contains(documents.Extensions(), path.Ext(at)) && f.isSuite(at):
			found = append(found, at)
		}
	}
	return found
}

// isSuite reports whether a regular file can be read and has a key that only suites have.
func (f *Files) isSuite(name string) bool {
	if special, err := infile.Special(f.FS, name); special != nil || err != nil {
		return false
	}
	data, err := infile.Read(f.FS, name)
	if err != nil {
		return false
	}
	keys := topKeys(data)
	return keys["native"] || keys["declarative"]
}

// has reports whether a file exists, or may exist but cannot be accessed. Pipes and directories do
// not count.
func (f *Files) has(name string) bool {
	special, err := infile.Special(f.FS, name)
	return special == nil && !errors.Is(err, fs.ErrNotExist)
}

// isBrokenLink reports whether a directory lists a file that does not exist.
func (f *Files) isBrokenLink(name string) bool {
	entries, err := fs.ReadDir(f.FS, path.Dir(name))
	return err == nil && !f.has(name) && slices.ContainsFunc(entries, func(entry fs.DirEntry) bool {
		return entry.Name() == path.Base(name) && entry.Type()&fs.ModeSymlink != 0
	})
}

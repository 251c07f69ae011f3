package outfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// stagedSuffix ends the names of staged files, behind the number of their process.
const stagedSuffix = ".tmp"

// stage makes the file that gets the content first. It stands beside the one that it is
// to become; where nothing can be made there, but the file itself can be written, it
// stands in the directory for temporary files.
func (f *File) stage(mode fs.FileMode) (err error) {
	removeStale(f.path)
	name := fmt.Sprintf("%s.%d%s", f.path, os.Getpid(), stagedSuffix)
	f.file, err = os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
	if err != nil && f.old != nil {
		f.file, err = os.CreateTemp("", "diffrun.*"+stagedSuffix)
	}
	if err != nil {
		return err
	}
	hold(f.file)
	return nil
}

// install puts the staged file in its place. A file that it may not replace, as that
// would lose its owner or another of its names, gets the content instead; one that it
// cannot replace, such as a mount, too.
func (f *File) install(replace bool) error {
	if f.old == nil || replace {
		err := os.Rename(f.file.Name(), f.path)
		if err == nil || f.old == nil {
			return err
		}
	}
	return f.copy()
}

// copy writes the content into the file that is there.
func (f *File) copy() error {
	staged, err := os.Open(f.file.Name())
	if err != nil {
		return err
	}
	defer staged.Close()
	to, err := os.OpenFile(f.path, os.O_WRONLY|os.O_TRUNC, 0)
	if err != nil {
		return err
	}
	_, err = io.Copy(to, staged)
	return errors.Join(err, to.Close())
}

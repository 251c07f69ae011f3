package outfile

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// stagedSuffix is the suffix of staged files, after the number of their process.
const stagedSuffix = ".tmp"

// stage creates the file that first gets the content. It is in the directory of the target, or in the
// directory for temporary files if only the target itself can be written.
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

// install replaces the target by the staged file. If that would lose the owner or another name of the
// target, or is not possible, as for a mount, it copies the content.
func (f *File) install(replace bool) error {
	if f.old == nil || replace {
		err := os.Rename(f.file.Name(), f.path)
		if err == nil || f.old == nil {
			return err
		}
	}
	return f.copy()
}

// copy writes the content into the existing file.
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

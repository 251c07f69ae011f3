package main

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// stagedFile is a file that is written beside the one it is to become, and takes its
// place when it is whole: what was there stays until then. A pipe or a device, which
// cannot be replaced, is written to directly.
//
// Writing never fails: one file that cannot be written must not end a run that others
// are written of. What went wrong is the error of close.
type stagedFile struct {
	path   string // with symbolic links followed
	file   *os.File
	buffer *bufio.Writer
	failed error
	direct bool
}

// stagedSuffix ends the names of staged files, behind the number of their process.
const stagedSuffix = ".tmp"

// stageFile opens a file, or says why that path cannot be written.
func stageFile(path string) (*stagedFile, error) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	mode := fs.FileMode(0o666) // less the umask
	s := &stagedFile{path: path}
	switch info, err := os.Stat(path); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, err
	case info.IsDir():
		return nil, &fs.PathError{Op: "write", Path: path, Err: errors.New("is a directory")}
	case !info.Mode().IsRegular():
		s.direct = true
	default:
		mode = info.Mode().Perm()
		if err := checkWritable(path); err != nil {
			return nil, err
		}
	}
	name, flags := path, os.O_WRONLY
	if !s.direct {
		removeStale(path)
		name, flags = fmt.Sprintf("%s.%d%s", path, os.Getpid(), stagedSuffix), os.O_WRONLY|os.O_CREATE|os.O_EXCL
	}
	file, err := os.OpenFile(name, flags, mode)
	if at := (*fs.PathError)(nil); errors.As(err, &at) {
		at.Path = path // the name that the user knows
	}
	if err != nil {
		return nil, err
	}
	if !s.direct {
		hold(file)
	}
	s.file, s.buffer = file, bufio.NewWriter(file)
	return s, nil
}

// checkWritable opens a file for writing and leaves it as it is: replacing one that
// is write-protected would succeed, and surprise its owner.
func checkWritable(path string) error {
	file, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return file.Close()
}

func (s *stagedFile) Write(text []byte) (int, error) {
	if s.failed == nil {
		_, s.failed = s.buffer.Write(text)
	}
	return len(text), nil
}

// close puts the file in its place; one that is not whole is thrown away.
func (s *stagedFile) close() error {
	err := s.failed
	if err == nil {
		err = s.buffer.Flush()
	}
	if closing := s.file.Close(); err == nil {
		err = closing
	}
	if s.direct {
		return err
	}
	if err == nil {
		err = os.Rename(s.file.Name(), s.path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(s.file.Name()))
	}
	return nil
}

// discard leaves what was there before.
func (s *stagedFile) discard() error {
	err := s.file.Close()
	if !s.direct {
		err = errors.Join(err, os.Remove(s.file.Name()))
	}
	return err
}

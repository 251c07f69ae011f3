package outfile

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
)

// maxLinks is how many symbolic links are followed, one after the other, as many as
// Linux does.
const maxLinks = 40

// place is where a file is or will be: an absolute path with symbolic links followed,
// those too that lead to nothing yet.
func place(name string) (string, error) {
	path, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	path, _ = follow(path)
	return path, nil
}

// Same says that two names are of one file: they lead to one place, or the file there has
// both names.
func Same(one, other string) bool {
	at, err := place(one)
	otherAt, otherErr := place(other)
	if err != nil || otherErr != nil {
		return one == other
	}
	if at == otherAt {
		return true
	}
	info, err := os.Stat(one)
	otherInfo, otherErr := os.Stat(other)
	return err == nil && otherErr == nil && os.SameFile(info, otherInfo)
}

// Within says that a name leads to a file in or below a directory.
func Within(directory, name string) bool {
	top, err := place(directory)
	at, otherErr := place(name)
	if err != nil || otherErr != nil {
		return false
	}
	within, err := filepath.Rel(top, at)
	return err == nil && filepath.IsLocal(within) && within != "."
}

// follow follows the symbolic links of a name as far as they can be. What they lead to
// may be an open file of this process; otherwise descriptor is below zero.
func follow(name string) (path string, descriptor int) {
	path = filepath.Clean(name)
	for range maxLinks {
		if dir, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil {
			path = filepath.Join(dir, filepath.Base(path))
		}
		if number, is := openFile(path); is {
			return path, number
		}
		info, err := os.Lstat(path)
		if err != nil || info.Mode()&fs.ModeSymlink == 0 {
			return path, -1
		}
		target, err := os.Readlink(path)
		if err != nil {
			return path, -1
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(filepath.Dir(path), target)
		}
		path = target
	}
	return path, -1
}

// descriptors finds the directories that name the open files of a process, links
// followed: /dev/fd is one, or leads to one.
var descriptors = regexp.MustCompile(`^(?:/dev|/proc/([0-9]+)(?:/task/[0-9]+)?)/fd/([0-9]+)$`)

// openFile gives the number of an open file of this process that a path names.
func openFile(path string) (number int, is bool) {
	parts := descriptors.FindStringSubmatch(filepath.ToSlash(path))
	if parts == nil || parts[1] != "" && parts[1] != strconv.Itoa(os.Getpid()) {
		return 0, false
	}
	number, err := strconv.Atoi(parts[2])
	return number, err == nil
}

package outfile

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
)

// maxLinks is the number of symbolic links to follow in a row, as on Linux.
const maxLinks = 40

// place is the path of an existing or future file: absolute, with symbolic links resolved, even if
// their target does not exist yet.
func place(name string) (string, error) {
	path, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	path, _ = follow(path)
	return path, nil
}

// Same reports whether two names are of one file: they resolve to one path, or are hard links.
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

// Within reports whether a name leads to a file in or below a directory.
func Within(directory, name string) bool {
	top, err := place(directory)
	at, otherErr := place(name)
	if err != nil || otherErr != nil {
		return false
	}
	within, err := filepath.Rel(top, at)
	return err == nil && filepath.IsLocal(within) && within != "."
}

// follow resolves the symbolic links of a name as far as possible. If the target is an open file of this
// process, descriptor is its number, or else -1.
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

// descriptors matches the directories with the open files of a process, after links are resolved: /dev/fd
// is one, or a link to one.
var descriptors = regexp.MustCompile(`^(?:/dev|/proc/([0-9]+)(?:/task/[0-9]+)?)/fd/([0-9]+)$`)

// openFile returns the number of the open file of this process that a path names.
func openFile(path string) (number int, is bool) {
	parts := descriptors.FindStringSubmatch(filepath.ToSlash(path))
	if parts == nil || parts[1] != "" && parts[1] != strconv.Itoa(os.Getpid()) {
		return 0, false
	}
	number, err := strconv.Atoi(parts[2])
	return number, err == nil
}

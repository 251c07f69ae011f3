package documents

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// Extensions returns the file extensions of manifests in directories.
func Extensions() []string { return []string{".yaml", ".yml", ".json"} }

// FindFiles returns the named file, or the manifests in and below a directory, sorted by name. It skips
// files in directories that are not regular. The error is a strictyaml.Mistakes.
func FindFiles(name string) (files []string, skipped []infile.Skipped, err error) {
	name = filepath.Clean(name)
	info, err := os.Stat(name)
	if err != nil {
		return nil, nil, Unreadable(name, err)
	}
	if !info.IsDir() {
		return []string{name}, nil, nil
	}
	var mistakes strictyaml.Mistakes
	files, skipped, errs := infile.Search(infile.Disk{}, filepath.ToSlash(name), func(file string) bool {
		return slices.Contains(Extensions(), path.Ext(file))
	})
	for _, err := range errs {
		mistakes = append(mistakes, Unreadable(infile.NameIn(err, name), err)...)
	}
	if len(files) == 0 && len(mistakes) == 0 {
		mistakes.Addf(strictyaml.Position{File: name}, "this directory and those below it have no file named %s",
			strings.Join(Extensions(), ", "))
	}
	return files, skipped, mistakes.Err()
}

// Unreadable returns the mistake about a file that cannot be read.
func Unreadable(file string, err error) strictyaml.Mistakes {
	return strictyaml.Mistakes{{Position: strictyaml.Position{File: file}, Message: fmt.Sprintf("cannot be read: %v", infile.Cause(err))}}
}

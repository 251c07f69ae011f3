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

// Extensions are those of the manifests that a directory is searched for.
func Extensions() []string { return []string{".yaml", ".yml", ".json"} }

// FindFiles gives the files that a name means: a file is itself, and a directory the
// manifests in and below it, by name. Files of a directory that are not regular are
// skipped. The error is a strictyaml.Mistakes.
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
		mistakes.Addf(strictyaml.Position{File: name}, "this directory and those below it have no file named %s", strings.Join(Extensions(), ", "))
	}
	return files, skipped, mistakes.Err()
}

// Unreadable is the mistake of naming a file that cannot be read.
func Unreadable(file string, err error) strictyaml.Mistakes {
	return strictyaml.Mistakes{{Position: strictyaml.Position{File: file}, Message: fmt.Sprintf("cannot be read: %v", infile.Cause(err))}}
}

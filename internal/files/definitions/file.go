package definitions

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/files/documents"
	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// FindFiles returns the named files, and for a directory those with a CustomResourceDefinition. It
// skips files in directories that are not regular. The error is a strictyaml.Mistakes.
func FindFiles(names []string) (files []string, skipped []infile.Skipped, err error) {
	var mistakes strictyaml.Mistakes
	for _, name := range names {
		info, err := os.Stat(name)
		if err != nil || !info.IsDir() {
			files = append(files, name) // reading it reports what is wrong
			continue
		}
		found, irregular, err := documents.FindFiles(name)
		mistakes.Merge(name, err)
		skipped = append(skipped, irregular...)
		before := len(files)
		for _, file := range found {
			data, err := infile.ReadFile(file)
			switch {
			case err != nil:
				mistakes.Merge(file, documents.Unreadable(file, err))
			case inDirectory(file, data):
				files = append(files, file)
			}
		}
		if len(files) == before && len(mistakes) == 0 {
			mistakes.Addf(strictyaml.Position{File: name}, "no file in or below this directory has a CustomResourceDefinition")
		}
	}
	return files, skipped, mistakes.Err()
}

// inDirectory reports whether a file of a directory is one with definitions. Patches are not, nor are templates that are
// no YAML. Other files that say that they are must be readable.
func inDirectory(file string, data []byte) bool {
	says := bytes.Contains(data, []byte("CustomResourceDefinition")) && !bytes.Contains(data, []byte("{{"))
	for document := range documents.Manifest(filepath.ToSlash(file), data) {
		if isDefinition(document) && !IsPatch(document) || document.Err != nil && says {
			return true
		}
	}
	return false
}

// HasDefinition reports whether a file has a CustomResourceDefinition.
func HasDefinition(file string, data []byte) bool {
	return slices.ContainsFunc(slices.Collect(documents.Manifest(filepath.ToSlash(file), data)), isDefinition)
}

// ReadFile is Read for a file on disk.
func ReadFile(file string) ([]*Definition, error) {
	data, err := readWhole(file)
	if err != nil {
		return nil, err
	}
	return Read(file, data)
}

// ReadAllFile is ReadAll for a file on disk.
func ReadAllFile(file string) ([]*Definition, error) {
	data, err := readWhole(file)
	if err != nil {
		return nil, err
	}
	return ReadAll(file, data)
}

// ReadSchemaFile is ReadSchema for a file on disk.
func ReadSchemaFile(file string) (*Schema, error) {
	data, err := infile.ReadFile(file)
	if err != nil {
		return nil, documents.Unreadable(file, err)
	}
	return ReadSchema(file, data)
}

// readWhole reads a file of definitions. Its error explains that FILE@VERSION, which other commands
// accept, is not supported here.
func readWhole(file string) ([]byte, error) {
	data, err := infile.ReadFile(file)
	if err == nil {
		return data, nil
	}
	mistakes := documents.Unreadable(file, err)
	if i := strings.LastIndex(file, "@"); i > 0 {
		if _, missing := os.Stat(file[:i]); missing == nil {
			mistakes[0].Message += "; expected a file name without a version: " + file[:i]
		}
	}
	return nil, mistakes
}

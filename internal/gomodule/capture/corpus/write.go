package corpus

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/files/outfile"
)

// suiteFile is the name of a suite's file.
const suiteFile = "suite.yaml"

// Form is the format of the files of a corpus.
type Form uint8

const (
	// Lines are JSON lines with the recorded errors, for native.recorded of a suite.
	Lines Form = iota
	// Tables are case files in YAML, to be maintained by hand.
	Tables
)

// nameOf returns the name of a file in the form.
func (f Form) nameOf(file string) string {
	if f == Tables {
		return strings.TrimSuffix(file, path.Ext(file)) + ".yaml"
	}
	return file
}

// CheckFolder returns an error if a folder has files already, which would look like a part of the
// corpus.
func CheckFolder(folder string) error {
	entries, err := os.ReadDir(folder)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("%s cannot be a folder for a corpus: %w", folder, err)
	case len(entries) > 0:
		return fmt.Errorf("the folder %s is not empty; remove it, or name another with -o: its files would look like part of the corpus",
			folder)
	}
	return nil
}

// Write writes the files of the corpus below a folder.
func (c *Corpus) Write(folder string, form Form) error {
	files, err := c.lines()
	if form == Tables {
		files, err = c.tables()
	}
	if err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if strings.ContainsAny(strings.TrimPrefix(name, "parts/"), `/\`) {
			return fmt.Errorf("%q cannot be the name of a file", name)
		}
		place := filepath.Join(folder, filepath.FromSlash(name))
		if err := makeFolder(filepath.Dir(place)); err != nil {
			return err
		}
		if err := outfile.Write(place, files[name]); err != nil {
			return err
		}
	}
	return nil
}

func makeFolder(name string) error { return os.MkdirAll(name, 0o755) }

// lines returns the contents of files of JSON lines by name.
func (c *Corpus) lines() (map[string][]byte, error) {
	files := map[string]*bytes.Buffer{}
	for _, one := range slices.Concat(c.Cases, c.Parts) {
		line, err := encode(one)
		if err != nil {
			return nil, err
		}
		name := one.file()
		if files[name] == nil {
			files[name] = &bytes.Buffer{}
		}
		files[name].Write(append(line, '\n'))
	}
	contents := map[string][]byte{}
	for name, buffer := range files {
		contents[name] = buffer.Bytes()
	}
	return contents, nil
}

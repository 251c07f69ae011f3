package acceptance

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/diffrun/diffrun/internal/files/infile"
)

// File is the file of exceptions of a suite.
type File struct {
	// Name is its path; from a suite, it is in the folder of the suite unless the suite says otherwise.
	Name string
	// Suite is the path of the suite, and IsNamed reports whether the suite names the file.
	Suite   string
	IsNamed bool
}

// FileOf returns the file of exceptions that a suite names, or one beside the suite that does not exist yet. source is the path
// of the suite. The error says that there is no such suite on disk: it is part of diffrun, or a test in Go.
func FileOf(source string) (File, error) {
	data, err := infile.ReadFile(source)
	if errors.Is(err, fs.ErrNotExist) {
		return File{}, fmt.Errorf("there is no suite %s here, so nothing names its exceptions; run this where the suite is, or name "+
			"a file with --file", source)
	} else if err != nil {
		return File{}, fmt.Errorf("%s cannot be read: %w", source, infile.Cause(err))
	}
	var suite struct {
		Exceptions string `yaml:"exceptions"`
	}
	if err := yaml.Unmarshal(data, &suite); err != nil {
		return File{}, fmt.Errorf("%s is not a suite: %w", source, err)
	}
	folder := filepath.Dir(source)
	if suite.Exceptions != "" {
		return File{Name: filepath.Join(folder, filepath.FromSlash(suite.Exceptions)), Suite: source, IsNamed: true}, nil
	}
	own := strings.TrimSuffix(filepath.Base(source), filepath.Ext(source)) + "-exceptions.yaml"
	for _, name := range []string{"exceptions.yaml", own} {
		if _, err := os.Lstat(filepath.Join(folder, name)); errors.Is(err, fs.ErrNotExist) {
			return File{Name: filepath.Join(folder, name), Suite: source}, nil
		}
	}
	return File{}, fmt.Errorf("%s names no exceptions, and exceptions.yaml and %s beside it are files of others; name one in the "+
		"suite: exceptions: FILE", source, own)
}

// Named returns the text of the suite with a last line that names the file. The error says that it must be written by hand.
func (f File) Named() ([]byte, error) {
	data, err := infile.ReadFile(f.Suite)
	if err != nil {
		return nil, fmt.Errorf("%s cannot be read: %w", f.Suite, infile.Cause(err))
	}
	key, text, end := "exceptions: "+filepath.Base(f.Name), string(data), "\n"
	if strings.Contains(text, "\r\n") {
		end = "\r\n"
	}
	if !strings.HasSuffix(text, "\n") {
		text += end
	}
	text += key + end
	var before, after map[string]any
	err = errors.Join(yaml.Unmarshal(data, &before), yaml.Unmarshal([]byte(text), &after))
	if err != nil || len(after) != len(before)+1 || after["exceptions"] != filepath.Base(f.Name) {
		return nil, fmt.Errorf("%s cannot be changed without rewriting it; write this key into it: %s", f.Suite, key)
	}
	return []byte(text), nil
}

package gotool

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/diffrun/diffrun/internal/files/outfile"
)

// Overlay maps files to the files that the go command reads instead.
type Overlay struct {
	folder string
	files  int
	// Replace maps the name of a file to the name of the file that replaces it. An empty name
	// removes the file.
	Replace map[string]string
}

// NewOverlay returns an overlay whose files are in a folder. It begins with the content of another
// overlay, whose file is relative to dir; an empty name means none.
func NewOverlay(folder, base, dir string) (*Overlay, error) {
	o := &Overlay{folder: folder, Replace: map[string]string{}}
	if base == "" {
		return o, os.MkdirAll(folder, 0o755)
	}
	if !filepath.IsAbs(base) {
		base = filepath.Join(dir, base)
	}
	data, err := os.ReadFile(base)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(data, o); err != nil {
		return nil, fmt.Errorf("-overlay=%s: %w", base, err)
	}
	return o, os.MkdirAll(folder, 0o755)
}

// Read returns the content of a file as the go command sees it.
func (o *Overlay) Read(name string) ([]byte, error) {
	if other, replaced := o.Replace[name]; replaced {
		if other == "" {
			return nil, &os.PathError{Op: "open", Path: name, Err: os.ErrNotExist}
		}
		name = other
	}
	return os.ReadFile(name)
}

// Put replaces or adds a file.
func (o *Overlay) Put(name string, content []byte) error {
	file := filepath.Join(o.folder, strconv.Itoa(o.files)+"_"+filepath.Base(name))
	o.files++
	o.Replace[name] = file
	return outfile.Write(file, content)
}

// PutFiles adds the files of dir, without tests, to a folder. edit changes their content. If it is
// nil, they stay as they are.
func (o *Overlay) PutFiles(folder string, files fs.FS, dir string, edit func([]byte) []byte) error {
	entries, err := fs.ReadDir(files, dir)
	errs := []error{err}
	for _, entry := range entries {
		if entry.IsDir() || strings.HasSuffix(entry.Name(), "_test.go") {
			continue
		}
		data, err := fs.ReadFile(files, path.Join(dir, entry.Name()))
		if edit != nil {
			data = edit(data)
		}
		errs = append(errs, err, o.Put(filepath.Join(folder, entry.Name()), data))
	}
	return errors.Join(errs...)
}

// Write writes the overlay and returns the name of its file, the value of the flag -overlay.
func (o *Overlay) Write() (string, error) {
	data, err := json.Marshal(o)
	name := filepath.Join(o.folder, "overlay.json")
	return name, errors.Join(err, outfile.Write(name, data))
}

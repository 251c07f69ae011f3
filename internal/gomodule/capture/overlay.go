package capture

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"

	"github.com/diffrun/diffrun/internal/files/outfile"
)

// overlay is the files that the go command reads in the place of others.
type overlay struct {
	folder   string
	files    int
	Replaced map[string]string `json:"Replace"`
}

// newOverlay begins with the overlay that the user gives; empty: none.
func newOverlay(folder, users, dir string) (*overlay, error) {
	o := &overlay{folder: folder, Replaced: map[string]string{}}
	if users == "" {
		return o, os.MkdirAll(folder, 0o755)
	}
	if !filepath.IsAbs(users) {
		users = filepath.Join(dir, users)
	}
	data, err := os.ReadFile(users)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(data, o); err != nil {
		return nil, fmt.Errorf("-overlay=%s: %w", users, err)
	}
	return o, os.MkdirAll(folder, 0o755)
}

// read gives a file as the go command sees it.
func (o *overlay) read(name string) ([]byte, error) {
	if other, replaced := o.Replaced[name]; replaced {
		if other == "" {
			return nil, &os.PathError{Op: "open", Path: name, Err: os.ErrNotExist}
		}
		name = other
	}
	return os.ReadFile(name)
}

// put shows the go command a content in the place of a file.
func (o *overlay) put(name string, content []byte) error {
	place := filepath.Join(o.folder, strconv.Itoa(o.files)+"_"+filepath.Base(name))
	o.files++
	o.Replaced[name] = place
	return outfile.Write(place, content)
}

// write writes the overlay and gives the name of its file.
func (o *overlay) write() (string, error) {
	data, err := json.Marshal(o)
	name := filepath.Join(o.folder, "overlay.json")
	return name, errors.Join(err, outfile.Write(name, data))
}

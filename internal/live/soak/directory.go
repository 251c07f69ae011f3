package soak

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/internal/files/outfile"
	"github.com/diffrun/diffrun/internal/live/counters"
)

// directory keeps findings in files.
type directory struct {
	dir  string
	tell findingFunc
}

func openDirectory(dir string, tell findingFunc) (*directory, error) {
	d := &directory{filepath.Join(dir, differences), tell}
	if err := os.MkdirAll(d.dir, 0o755); err != nil {
		return nil, fmt.Errorf("the folder %s cannot be created: %w", d.dir, infile.Cause(err))
	}
	return d, nil
}

func (d *directory) names() ([]string, error) {
	files, err := os.ReadDir(d.dir)
	var names []string
	for _, file := range files {
		if name, is := strings.CutSuffix(file.Name(), textFile); is {
			names = append(names, name)
		}
	}
	return names, err
}

func (d *directory) path(name string) string { return filepath.Join(d.dir, name+textFile) }

// keep writes the text last: a finding with a text is known after a restart.
func (d *directory) keep(found Found, text []byte) (bool, error) {
	if found.Line != nil {
		if err := outfile.Write(filepath.Join(d.dir, found.Name()+caseFile), found.Line); err != nil {
			return false, err
		}
	}
	if err := outfile.Write(found.Path, text); err != nil {
		return false, err
	}
	d.tell(found, counters.Written, nil)
	return true, nil
}

func (d *directory) close(context.Context) error { return nil }

package cases

import (
	"fmt"
	"io/fs"
	"iter"
	"path"
	"strings"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/documents"
	"github.com/diffrun/diffrun/internal/infile"
)

// source is a file that holds cases.
type source interface {
	// path is that of the file.
	path() string
	// cases gives the cases in the order of the file. The error is one of
	// reading the file, and the last that is given.
	cases() iter.Seq2[harness.Case, error]
	// count says how many there are, if that is known without reading on.
	count() (int, bool)
}

// extensions lists the kinds of files that can hold cases.
func extensions() []string { return []string{".yaml", ".yml", ".json", ".jsonl"} }

// openSource finds out what kind of file holds cases and readies it. The id
// stands for the file in the ids of its cases. The error is a
// userfile.Mistakes where the file is read now.
func openSource(fsys fs.FS, name, id string) (source, error) {
	switch path.Ext(name) {
	case ".jsonl":
		return jsonLines{fsys, name, id}, nil
	case ".json":
		return manifest{fsys, name, id}, nil
	case ".yaml", ".yml":
	default:
		return nil, fmt.Errorf("is not a file of cases; accepted extensions: %s", strings.Join(extensions(), ", "))
	}
	data, err := infile.Read(fsys, name)
	if err != nil {
		return nil, fmt.Errorf("cannot be read: %w", infile.Cause(err))
	}
	if documents.IsManifest(data) {
		return manifest{fsys, name, id}, nil
	}
	file, err := parseCaseFile(name, data)
	if err != nil {
		return nil, err
	}
	return entries{id, file}, nil
}

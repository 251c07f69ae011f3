package cases

import (
	"fmt"
	"io/fs"
	"iter"
	"path"
	"strings"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/files/documents"
	"github.com/diffrun/diffrun/internal/files/infile"
)

// source is a file with cases.
type source interface {
	// path is the path of the file.
	path() string
	// cases returns the cases in the order of the file. An error while reading comes last.
	cases() iter.Seq2[harness.Case, error]
	// count returns the number of cases. It is false if that is unknown before the file is read.
	count() (int, bool)
}

// extensions returns the accepted file extensions.
func extensions() []string { return []string{".yaml", ".yml", ".json", ".jsonl"} }

// openSource opens a file of cases by its extension. Ids of its cases begin with id. The error is
// a userfile.Mistakes if the file is decoded at once.
func openSource(fsys fs.FS, name, id string) (source, error) {
	file, _, _ := strings.Cut(name, "?") // the query of a URL
	switch path.Ext(file) {
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
	parsed, err := parseCaseFile(name, data)
	if err != nil {
		return nil, err
	}
	return entries{id, parsed}, nil
}

package casefile

import (
	"fmt"
	"io/fs"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/files/documents"
	"github.com/diffrun/diffrun/internal/files/infile"
)

// File is a file of cases.
type File struct{ format }

// format is the content of a file in one of the formats.
type format interface {
	path() string
	cases() iter.Seq2[harness.Case, error]
	count() (int, bool)
}

// Path returns the path of the file.
func (f File) Path() string { return f.path() }

// Count returns the number of cases. It is false if that is unknown before the file is read.
func (f File) Count() (int, bool) { return f.count() }

// Cases returns the cases in the order of the file. A case that cannot be decoded has its Fault set.
// An error while reading comes last.
func (f File) Cases() iter.Seq2[harness.Case, error] {
	return func(yield func(harness.Case, error) bool) {
		for c, err := range f.cases() {
			if err == nil && c.Fault == nil {
				c.Fault = bounded(&c)
			}
			if !yield(c, err) {
				return
			}
		}
	}
}

// extensions returns the accepted file extensions.
func extensions() []string { return []string{".yaml", ".yml", ".json", ".jsonl"} }

// Open opens a file of cases. Its extension says the format, and the ids of its cases begin with id. only
// selects a part of a file that tests policies; empty: all of it. The error is a userfile.Mistakes if the file
// is decoded at once.
func Open(fsys fs.FS, name, id, only string) (File, error) {
	file, _, _ := strings.Cut(name, "?") // the query of a URL
	switch extension := path.Ext(file); {
	case (extension == ".json" || extension == ".jsonl") && only != "":
		return File{}, noPart(only)
	case extension == ".jsonl":
		return File{jsonLines{fsys, name, id}}, nil
	case extension == ".json":
		return File{manifest{fsys, name, id}}, nil
	case slices.Contains(extensions(), extension):
	default:
		return File{}, fmt.Errorf("is not a file of cases; accepted extensions: %s", strings.Join(extensions(), ", "))
	}
	data, err := infile.Read(fsys, name)
	if err != nil {
		return File{}, fmt.Errorf("cannot be read: %w", infile.Cause(err))
	}
	if format, found := sampleFormatOf(name, data); found {
		opened, err := format.open(fsys, name, id, only, data)
		return File{opened}, err
	}
	if only != "" {
		return File{}, noPart(only)
	}
	if documents.IsManifest(data) {
		return File{manifest{fsys, name, id}}, nil
	}
	parsed, err := parseCaseFile(name, data)
	if err != nil {
		return File{}, err
	}
	parsed.id = id
	return File{parsed}, nil
}

// noPart is the error of a file without parts.
func noPart(only string) error {
	return fmt.Errorf("has no part #%s; a suite of gator and a test of kyverno have parts", only)
}

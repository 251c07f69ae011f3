package validate

import (
	"context"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"slices"

	"github.com/diffrun/diffrun/internal/files/documents"
	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/internal/files/skipped"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// manifest is a file that may hold objects.
type manifest struct {
	file string
	// searched: the file was found in a directory. One that is named must be readable.
	searched bool
	// skipOthers: templates, patches and what is no YAML are skipped, too.
	skipOthers bool
	// once: the file is standard input, a pipe or a device, which can be read only once. Its text is
	// kept, because manifests are read twice: for the kinds that they define, and for objects.
	once bool
	text []byte
}

// findManifests returns the files of the options, each once, in order, and those of a directory sorted by
// name. The error is a strictyaml.Mistakes.
func findManifests(o *FilesOptions) ([]manifest, error) {
	var files []manifest
	var mistakes strictyaml.Mistakes
	for _, name := range o.Files {
		if name == infile.Stdin {
			files = addManifest(files, manifest{file: name})
			continue
		}
		found, skipped, err := documents.FindFiles(name)
		o.warnSkipped(skipped)
		mistakes.Merge(name, err)
		for _, file := range found {
			files = addManifest(files,
				manifest{file: file, searched: filepath.Clean(file) != filepath.Clean(name), skipOthers: o.SkipOthers})
		}
	}
	return files, mistakes.Err()
}

// addManifest adds a file unless it was added before. A file that is named counts as named even if it is also in a
// directory.
func addManifest(files []manifest, added manifest) []manifest {
	i := slices.IndexFunc(files, func(m manifest) bool { return m.file == added.file })
	if i < 0 {
		return append(files, added)
	}
	files[i].searched = files[i].searched && added.searched
	return files
}

// readOnce reads the files that can be read only once. It ends with ctx, also while it waits for the writer
// of a pipe.
func readOnce(ctx context.Context, files []manifest, stdin io.Reader) ([]manifest, error) {
	files = slices.Clone(files)
	for i := range files {
		m := &files[i]
		if m.once = m.file == infile.Stdin || !isRegular(m.file); !m.once {
			continue
		}
		type result struct {
			text []byte
			err  error
		}
		read := make(chan result, 1)
		go func() {
			if m.file == infile.Stdin {
				text, err := infile.ReadAll(stdin)
				read <- result{text, err}
				return
			}
			text, err := infile.ReadFile(m.file)
			read <- result{text, err}
		}()
		select {
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		case one := <-read:
			switch {
			case one.err != nil && m.file == infile.Stdin:
				return nil, fmt.Errorf("%s: %w", stdinName, one.err)
			case one.err != nil:
				return nil, documents.Unreadable(m.file, one.err)
			}
			m.text = one.text
		}
	}
	return files, nil
}

// isRegular reports whether a file can be read again. A file that does not exist is regular.
func isRegular(file string) bool {
	info, err := infile.Disk{}.Stat(filepath.ToSlash(file))
	return err != nil || info.Mode().IsRegular()
}

// readManifests returns the objects of files, one file at a time.
func readManifests(files []manifest) iter.Seq2[fileObject, error] {
	return func(yield func(fileObject, error) bool) {
		for _, m := range files {
			all, name, err := m.read()
			if err != nil {
				yield(fileObject{}, err)
				return
			}
			for object := range all {
				object.file = name
				if !yield(object, nil) {
					return
				}
			}
		}
	}
}

// read returns the objects of a file.
func (m manifest) read() (iter.Seq[fileObject], string, error) {
	data, all, err := m.documents()
	if err != nil {
		return nil, "", err
	}
	return m.objects(data, all), m.name(), nil
}

// name returns the name of the file in messages.
func (m manifest) name() string {
	if m.file == infile.Stdin {
		return stdinName
	}
	return m.file
}

// documents returns the text of a file and its documents.
func (m manifest) documents() ([]byte, iter.Seq[documents.Document], error) {
	if m.file == infile.Stdin {
		return m.text, documents.Stream(stdinName, m.text), nil
	}
	data := m.text
	if !m.once {
		var err error
		if data, err = infile.ReadFile(m.file); err != nil {
			return nil, nil, documents.Unreadable(m.file, err)
		}
	}
	return data, documents.Manifest(filepath.ToSlash(m.file), data), nil
}

// objects returns the objects of a file, or an entry that the file was skipped. Standard input is never skipped.
func (m manifest) objects(data []byte, all iter.Seq[documents.Document]) iter.Seq[fileObject] {
	return func(yield func(fileObject) bool) {
		if m.file != infile.Stdin {
			found := slices.Collect(all)
			if reason := m.skipped(data, found); reason != "" {
				yield(fileObject{passed: reason})
				return
			}
			all = slices.Values(found)
		}
		for document := range all {
			if !yield(fileObject{document: document}) {
				return
			}
		}
	}
}

// skipped returns why a file has nothing to validate, or "".
func (m manifest) skipped(data []byte, all []documents.Document) skipped.Reason {
	broken := slices.ContainsFunc(all, func(d documents.Document) bool { return d.Err != nil })
	switch reason := skipped.Unfinished(m.file, data, all); {
	case m.searched && len(all) == 0:
		return "" // for instance, all of it is a comment
	case m.skipOthers && reason != "":
		return reason
	case broken && !m.searched && !m.skipOthers:
		return ""
	}
	return skipped.WithoutObject(m.file, data, all)
}

package validate

import (
	"context"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"regexp"
	"slices"

	"github.com/diffrun/diffrun/internal/files/documents"
	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// manifest is a file that may hold objects.
type manifest struct {
	file string
	// searched: the file was found in a directory, and need not be a manifest.
	searched bool
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
			files = addManifest(files, manifest{file: file, searched: filepath.Clean(file) != filepath.Clean(name)})
		}
	}
	return files, mistakes.Err()
}

// addManifest adds a file unless it was added before. A file that is named must have an object, even if it
// is also in a directory.
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

// objects returns the objects of a file, or an entry that the file was skipped.
func (m manifest) objects(data []byte, all iter.Seq[documents.Document]) iter.Seq[fileObject] {
	return func(yield func(fileObject) bool) {
		if m.searched {
			found := slices.Collect(all)
			if len(found) > 0 && !slices.ContainsFunc(found, func(d documents.Document) bool { return mayBeObject(d, data) }) {
				yield(fileObject{passed: true})
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

// saysKind matches the keys that every Kubernetes object has, in text that cannot be parsed.
var saysKind = regexp.MustCompile(`["']?\b(apiVersion|kind)["']?\s*:`)

// mayBeObject reports whether a document may be meant as a Kubernetes object. Other YAML files, such as the
// values of a chart, are not.
func mayBeObject(document documents.Document, file []byte) bool {
	_, hasVersion := document.Object["apiVersion"]
	_, hasKind := document.Object["kind"]
	return hasVersion || hasKind || document.Err != nil && saysKind.Match(file)
}

package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/diffrun/diffrun/backends/declarative/idl"
	"github.com/diffrun/diffrun/backends/declarative/kubernetes"
	"github.com/diffrun/diffrun/internal/files/outfile"
)

// generateTags generates the schemas from upstream's tags alone. Only tags make fields required.
func generateTags(dir string, reading idl.Reading) (*idl.Result, error) {
	reading.IgnoreUnknown = true // no other dialect of k8s.io/api is read
	dialect, err := idl.NewK8s(reading)
	if err != nil {
		return nil, err
	}
	var names []idl.TypeName
	for _, gvk := range kubernetes.TaggedKinds() {
		names = append(names, idl.TypeName{Package: kubernetes.TaggedPackage(gvk), Name: gvk.Kind})
	}
	return idl.Generate(idl.Config{Dir: dir, Roots: names, Dialects: []idl.Dialect{dialect}, Optional: true, Reading: reading})
}

// tagFiles returns the files of all variants of the tags, by their paths below tags. A file that is
// the same in a base of the variant is left out.
func tagFiles(dir string) (map[string][]byte, error) {
	files := map[string][]byte{}
	for _, variant := range kubernetes.TagVariants() {
		result, err := generateTags(dir, variant.Reading)
		if err != nil {
			return nil, fmt.Errorf("tags of %s: %w", variant.Name, err)
		}
		rendered, err := render(result.Definitions)
		if err != nil {
			return nil, err
		}
		for name, data := range rendered {
			if !bytes.Equal(data, inherited(files, variant, name)) {
				files[variant.Name+"/"+name] = data
			}
		}
	}
	return files, nil
}

// inherited returns the file that a variant shares with its base, if it has none of its own.
func inherited(files map[string][]byte, of kubernetes.TagVariant, name string) []byte {
	for _, other := range of.Like() {
		if data, ok := files[other+"/"+name]; ok {
			return data
		}
	}
	return nil
}

// storedTags returns the existing files, by their paths below tags.
func storedTags(dir string) (map[string][]byte, error) {
	stored := map[string][]byte{}
	root := filepath.Join(dir, "tags")
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		stored[filepath.ToSlash(strings.TrimPrefix(path, root+string(filepath.Separator)))] = data
		return err
	})
	return stored, err
}

// writeTags writes the files, and removes those that are no longer made.
func writeTags(dir string, files map[string][]byte) error {
	stored, err := storedTags(dir)
	if err != nil {
		return err
	}
	for name := range stored {
		if _, kept := files[name]; !kept {
			if err := os.Remove(filepath.Join(dir, "tags", name)); err != nil {
				return err
			}
		}
	}
	for name, data := range files {
		at := filepath.Join(dir, "tags", name)
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			return err
		}
		if err := outfile.Write(at, data); err != nil {
			return err
		}
	}
	return nil
}

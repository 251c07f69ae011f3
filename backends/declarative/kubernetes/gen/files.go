package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/idl"
	"github.com/diffrun/diffrun/backends/declarative/kubernetes"
	"github.com/diffrun/diffrun/internal/files/outfile"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

func roots() []idl.TypeName {
	var names []idl.TypeName
	for _, gvk := range kubernetes.Kinds() {
		names = append(names, idl.TypeName{Package: kubernetes.GoPackage(gvk), Name: gvk.Kind})
	}
	return names
}

// readOverlays reads every overlay before it reports any mistake.
func readOverlays(dir string) ([]*idl.Overlay, error) {
	files, err := filepath.Glob(filepath.Join(dir, "overlays", "*.yaml"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no overlays in %s: run this in backends/declarative/kubernetes, or name that folder with -dir",
			filepath.Join(dir, "overlays"))
	}
	var overlays []*idl.Overlay
	var mistakes strictyaml.Mistakes
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		overlay, err := idl.ReadOverlay(file, data)
		mistakes.Merge(file, err)
		overlays = append(overlays, overlay)
	}
	return overlays, mistakes.Err()
}

// writeSchemas writes one file for each Go package, and removes the files of packages that are no
// longer referred to.
func writeSchemas(dir string, definitions map[string]*spec.Schema) error {
	files, err := render(definitions)
	if err != nil {
		return err
	}
	old, err := filepath.Glob(filepath.Join(dir, "schemas", "*.json"))
	if err != nil {
		return err
	}
	for _, file := range old {
		if _, kept := files[filepath.Base(file)]; !kept {
			if err := os.Remove(file); err != nil {
				return err
			}
		}
	}
	var failed error
	for name, data := range files {
		failed = errors.Join(failed, outfile.Write(filepath.Join(dir, "schemas", name), data))
	}
	return failed
}

// render sorts definitions into files by the part of their name that denotes the Go package.
func render(definitions map[string]*spec.Schema) (map[string][]byte, error) {
	packages := map[string]map[string]any{}
	for name, definition := range definitions {
		plain, err := plainJSON(definition)
		if err != nil {
			return nil, fmt.Errorf("definition %s: %w", name, err)
		}
		file := name[:strings.LastIndex(name, ".")] + ".json"
		if packages[file] == nil {
			packages[file] = map[string]any{}
		}
		packages[file][name] = plain
	}
	files := map[string][]byte{}
	for file, content := range packages {
		data, err := encode(content)
		if err != nil {
			return nil, err
		}
		files[file] = data
	}
	return files, nil
}

func encode(content any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false) // "&&" and "<" in rules stay readable
	encoder.SetIndent("", " ")
	err := encoder.Encode(content)
	return slices.Clip(out.Bytes()), err
}

// plainJSON turns a schema into maps, whose keys encoding/json sorts, with
// numbers as they were written.
func plainJSON(definition *spec.Schema) (any, error) {
	data, err := json.Marshal(definition)
	if err != nil {
		return nil, err
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	var plain any
	err = decoder.Decode(&plain)
	return plain, err
}

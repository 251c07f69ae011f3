// Package kustomization reads which files a kustomization names. It builds nothing.
package kustomization

import (
	"os"
	"path/filepath"
	"slices"

	"sigs.k8s.io/yaml"
)

// Group is the API group of kustomizations, which no API server has.
const Group = "kustomize.config.k8s.io"

// File has the names that a kustomization has, relative to its folder.
type File struct {
	// Entries are the files, folders and addresses whose objects it deploys.
	Entries []string
	// Patches are the files that change these objects. Inline patches are among them.
	Patches []string
}

// IsName reports whether kustomize reads a file of this name in a folder.
func IsName(name string) bool { return slices.Contains(Names(), name) }

// Names returns the names of files that kustomize reads in a folder.
func Names() []string { return []string{"kustomization.yaml", "kustomization.yml", "Kustomization"} }

// Has reports whether a folder has a kustomization.
func Has(folder string) bool { return NameIn(folder) != "" }

// NameIn returns the file of the kustomization of a folder, or "".
func NameIn(folder string) string {
	for _, name := range Names() {
		at := filepath.Join(folder, name)
		if info, err := os.Stat(at); err == nil && info.Mode().IsRegular() {
			return at
		}
	}
	return ""
}

// Read reads a kustomization.
func Read(data []byte) (*File, error) {
	type patch struct{ Path string }
	var written struct {
		Resources, Bases, Components, CRDs []string
		Patches, PatchesJSON6902           []patch
		PatchesStrategicMerge              []string
	}
	if err := yaml.Unmarshal(data, &written); err != nil {
		return nil, err
	}
	f := &File{
		Entries: slices.Concat(written.Resources, written.Bases, written.Components, written.CRDs),
		Patches: written.PatchesStrategicMerge,
	}
	for _, each := range slices.Concat(written.Patches, written.PatchesJSON6902) {
		if each.Path != "" {
			f.Patches = append(f.Patches, each.Path)
		}
	}
	return f, nil
}

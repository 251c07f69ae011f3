// Package render makes of a kustomization what it deploys. It links kustomize, whose weight only the command bears: others get
// the function.
package render

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/api/resmap"
	"sigs.k8s.io/kustomize/api/types"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"

	"github.com/diffrun/diffrun/internal/files/kustomization"
)

// Folder returns the objects that the kustomization of a folder deploys, as documents of YAML: what "kustomize build" prints. It starts no
// program and asks no network: a kustomization that names an address is an error. Files may be anywhere on the disk.
func Folder(folder string) ([]byte, error) {
	if err := isLocal(folder, map[string]bool{}); err != nil {
		return nil, err
	}
	options := krusty.MakeDefaultOptions() // without plugins
	options.LoadRestrictions = types.LoadRestrictionsNone
	made, err := quietly(func() (resmap.ResMap, error) {
		return krusty.MakeKustomizer(options).Run(filesys.MakeFsOnDisk(), folder)
	})
	if err != nil {
		return nil, err
	}
	return made.AsYaml()
}

// stderr guards os.Stderr, which quietly replaces.
var stderr sync.Mutex

// quietly builds without the warnings about deprecated fields, which kustomize writes to os.Stderr (KustTarget.Load) and which
// change nothing here. The project sees them when it builds.
func quietly(build func() (resmap.ResMap, error)) (resmap.ResMap, error) {
	stderr.Lock()
	defer stderr.Unlock()
	nothing, err := os.Open(os.DevNull) // writing to it fails, which kustomize ignores
	if err != nil {
		return nil, err
	}
	defer nothing.Close()
	defer func(before *os.File) { os.Stderr = before }(os.Stderr)
	os.Stderr = nothing
	return build()
}

// isLocal returns an error if a kustomization, or one that it names, names something that is not on the disk.
func isLocal(folder string, visited map[string]bool) error {
	name := kustomization.NameIn(folder)
	if visited[folder] || name == "" {
		return nil
	}
	visited[folder] = true
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	written, err := kustomization.Read(data)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for _, entry := range written.Entries {
		at := filepath.Join(folder, filepath.FromSlash(entry))
		info, err := os.Stat(at)
		switch {
		case err != nil:
			return fmt.Errorf("%s names %s, which is not on this disk", name, entry)
		case info.IsDir():
			if err := isLocal(at, visited); err != nil {
				return err
			}
		}
	}
	var all any
	if err := yaml.Unmarshal(data, &all); err != nil {
		return err
	}
	if address := addressIn(all); address != "" {
		return fmt.Errorf("%s names the address %s, and nothing is asked over the network", name, address)
	}
	return nil
}

// addressIn returns an address that kustomize would load, or "". Texts for people and inline patches begin otherwise, or
// are below one of these keys.
func addressIn(value any) string {
	switch value := value.(type) {
	case string:
		if strings.HasPrefix(value, "http://") || strings.HasPrefix(value, "https://") {
			return value
		}
	case []any:
		for _, item := range value {
			if address := addressIn(item); address != "" {
				return address
			}
		}
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			switch key {
			case "commonAnnotations", "annotations", "labels", "literals", "metadata":
				continue
			}
			if address := addressIn(value[key]); address != "" {
				return address
			}
		}
	}
	return ""
}

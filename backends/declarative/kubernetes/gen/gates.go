package main

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/idl"
	"github.com/diffrun/diffrun/backends/declarative/kubernetes"
	"github.com/diffrun/diffrun/internal/files/outfile"
)

// changedByGates generates the schemas again for each gate in its other state, and returns the
// definitions that change.
func changedByGates(dir string, overlays []*idl.Overlay, byDefault *idl.Result) (map[string]map[string]*spec.Schema, error) {
	var names []string
	for _, gate := range kubernetes.Gates() {
		names = append(names, gate.Name)
	}
	if !slices.Equal(names, byDefault.Options) {
		return nil, fmt.Errorf("the overlays name the gates %q, kubernetes.Gates lists %q: they must be the same", byDefault.Options, names)
	}
	all, owner := map[string]map[string]*spec.Schema{}, map[string]string{}
	for _, gate := range kubernetes.Gates() {
		options := slices.DeleteFunc(kubernetes.DefaultOptions(), func(name string) bool { return name == gate.Name })
		if !gate.Default {
			options = append(options, gate.Name)
		}
		other, err := generateWith(dir, overlays, options)
		if err != nil {
			return nil, fmt.Errorf("with %s in its other state: %w", gate.Name, err)
		}
		changed, err := different(byDefault.Definitions, other.Definitions)
		if err != nil {
			return nil, err
		}
		for _, name := range slices.Sorted(maps.Keys(changed)) {
			if first, again := owner[name]; again {
				return nil, fmt.Errorf("the gates %s and %s both change the definition %s; a schema for both is not made", first, gate.Name,
					name)
			}
			owner[name] = gate.Name
		}
		if len(changed) == 0 {
			return nil, fmt.Errorf("the gate %s changes no definition", gate.Name)
		}
		all[gate.Name] = changed
	}
	return all, nil
}

// different returns the definitions of after that differ from those of before.
func different(before, after map[string]*spec.Schema) (map[string]*spec.Schema, error) {
	changed := map[string]*spec.Schema{}
	for name, definition := range after {
		now, err := plainOf(definition)
		if err != nil {
			return nil, err
		}
		then, err := plainOf(before[name])
		if err != nil {
			return nil, err
		}
		if !bytes.Equal(now, then) {
			changed[name] = definition
		}
	}
	return changed, nil
}

func plainOf(definition *spec.Schema) ([]byte, error) {
	plain, err := plainJSON(definition)
	if err != nil {
		return nil, err
	}
	return encode(plain)
}

// renderFile writes definitions in one file.
func renderFile(definitions map[string]*spec.Schema) ([]byte, error) {
	content := map[string]any{}
	for name, definition := range definitions {
		plain, err := plainJSON(definition)
		if err != nil {
			return nil, fmt.Errorf("definition %s: %w", name, err)
		}
		content[name] = plain
	}
	return encode(content)
}

// writeGates writes one file for each gate, and removes the files of gates that no longer exist.
func writeGates(dir string, gates map[string]map[string]*spec.Schema) error {
	folder := filepath.Join(dir, "gates")
	old, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		return err
	}
	failed := os.MkdirAll(folder, 0o755)
	for _, file := range old {
		if name := filepath.Base(file); gates[name[:len(name)-len(".json")]] == nil {
			failed = errors.Join(failed, os.Remove(file))
		}
	}
	for name, definitions := range gates {
		data, err := renderFile(definitions)
		failed = errors.Join(failed, err, outfile.Write(filepath.Join(folder, name+".json"), data))
	}
	return failed
}

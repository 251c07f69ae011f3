package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/openapi"
)

// schemas is the folder of the generated schemas, below the root.
const schemas = "backends/declarative/kubernetes/schemas"

// fields are the values that types declare, by path, such as io.k8s.api.batch.v1.JobSpec.suspend. Each says whether a
// keyword or rule constrains it. A field of a type with fields of its own is no value.
type fields map[string]bool

// readFields returns the fields in a folder of schemas.
func readFields(folder string) (fields, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		return nil, err
	}
	all := fields{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var types map[string]*spec.Schema
		if err := json.Unmarshal(data, &types); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		for name, declared := range types {
			if err := all.add(name, declared); err != nil {
				return nil, fmt.Errorf("%s: %w", file, err)
			}
		}
	}
	return all, nil
}

// add adds the fields of a schema at a path.
func (f fields) add(path string, s *spec.Schema) error {
	x, errs := openapi.ReadExtensions(s, field.NewPath(path))
	if len(errs) > 0 {
		return errs.ToAggregate()
	}
	for child := range openapi.Children(s) {
		at := path
		if !child.IsPart() || isKind(s) && slices.Contains(ofAllKinds, child.Name) {
			continue
		}
		if child.Keyword == "properties" {
			at += "." + child.Name
			if isValue(child.Schema) {
				named := slices.ContainsFunc(x.Validations, func(rule openapi.Rule) bool { return strings.Contains(rule.Rule, child.Name) })
				f[at] = named || slices.Contains(s.Required, child.Name) || constrains(child.Schema)
			}
		}
		if err := f.add(at, child.Schema); err != nil {
			return err
		}
	}
	return nil
}

// ofAllKinds are the fields that all kinds have, with the same rules.
var ofAllKinds = []string{"apiVersion", "kind", "metadata"}

// isKind reports whether a schema is that of a kind.
func isKind(s *spec.Schema) bool {
	return !slices.ContainsFunc(ofAllKinds, func(name string) bool { return openapi.Property(s, name) == nil })
}

// isValue reports whether a schema declares a value, or a list or map of values, without fields of its own.
func isValue(s *spec.Schema) bool {
	if openapi.Reference(s) != "" || len(s.Properties) > 0 {
		return false
	}
	for child := range openapi.Children(s) {
		if child.IsPart() && !isValue(child.Schema) {
			return false
		}
	}
	return true
}

// constrains reports whether a schema says more of a value, or of its items, than the type.
func constrains(s *spec.Schema) bool {
	x, errs := openapi.ReadExtensions(s, nil)
	if len(errs) > 0 || len(x.Validations) > 0 || x.ListType != nil && *x.ListType != "atomic" {
		return true
	}
	for _, keyword := range openapi.Keywords() {
		isWidth := keyword.Name == "format" && (s.Format == "int32" || s.Format == "int64")
		if keyword.Has(s) && !keyword.HoldsSchemas() && !isWidth {
			return true
		}
	}
	for child := range openapi.Children(s) {
		if child.IsPart() && constrains(child.Schema) {
			return true
		}
	}
	return false
}

// newFields returns the fields that there were not before and that nothing constrains, a line for those of each
// type or part of one.
func newFields(before, after fields) (decisions []string) {
	known := map[string]bool{}
	for path := range before {
		known[typeOf(path)] = true
	}
	unruled := map[string][]string{}
	for _, path := range slices.Sorted(maps.Keys(after)) {
		if _, was := before[path]; !was && !after[path] {
			unruled[typeOf(path)] = append(unruled[typeOf(path)], path[len(typeOf(path))+1:])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(unruled)) {
		kind := "new fields without a rule"
		if !known[name] {
			kind = "new type with fields without a rule"
		}
		decisions = append(decisions, kind+": "+name+": "+strings.Join(unruled[name], ", "))
	}
	return decisions
}

// typeOf returns the path of what declares a field.
func typeOf(path string) string { return path[:strings.LastIndex(path, ".")] }

package overlay

import (
	"maps"
	"slices"

	"github.com/diffrun/diffrun/backends/declarative/idl/internal/marker"
)

// Files are the overlay files of a run.
type Files []*File

// Entries are the entries of one Go type.
type Entries []*Type

// Entries returns the entries of a type. ofRoot means that its package is one of the roots, where
// bundled overlays do not apply.
func (all Files) Entries(packagePath, typeName string, ofRoot bool) Entries {
	var found Entries
	for _, file := range all {
		if !file.AppliesTo(packagePath) || file.Bundled && (ofRoot || isObjectMeta(typeName)) {
			continue
		}
		for _, entry := range file.Types {
			if entry.Name == typeName && entry.AppliesTo(packagePath) {
				found = append(found, entry)
			}
		}
	}
	return found
}

// isObjectMeta reports whether a type is part of the metadata of objects, which the API server
// validates by itself.
func isObjectMeta(typeName string) bool {
	return slices.Contains([]string{"ObjectMeta", "OwnerReference", "ManagedFieldsEntry"}, typeName)
}

// Lines returns the markers of the type.
func (all Entries) Lines() []marker.Line {
	var lines []marker.Line
	for _, entry := range all {
		lines = append(lines, entry.Lines...)
	}
	return lines
}

// FieldLines returns the markers of a field of the type.
func (all Entries) FieldLines(name string) []marker.Line {
	var lines []marker.Line
	for _, entry := range all {
		if field, ok := entry.Fields[name]; ok {
			lines = append(lines, field.Lines...)
		}
	}
	return lines
}

// EachLine calls visit for each line of the files that are not bundled, even for lines whose gate is
// closed.
func (all Files) EachLine(visit func(marker.Line)) {
	for _, file := range all {
		if file.Bundled {
			continue
		}
		for _, t := range file.Types {
			for _, each := range slices.Concat(t.Lines, t.Closed) {
				visit(each)
			}
			for _, name := range slices.Sorted(maps.Keys(t.Fields)) {
				for _, each := range slices.Concat(t.Fields[name].Lines, t.Fields[name].Closed) {
					visit(each)
				}
			}
		}
	}
}

// Options returns the sorted options that the gates of the files name, without bundled files.
func (all Files) Options() []string {
	names := map[string]bool{}
	all.EachLine(func(each marker.Line) {
		if each.Gate.Option != "" {
			names[each.Gate.Option] = true
		}
	})
	return slices.Sorted(maps.Keys(names))
}

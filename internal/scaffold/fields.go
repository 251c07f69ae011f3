package scaffold

import (
	"path"
	"regexp"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/openapi"
)

// fieldsOf returns the names of all fields of a schema by their paths, such as spec.ports[*].name.
func fieldsOf(s *spec.Schema) map[string]string {
	found := map[string]string{}
	addFields(s, "", found)
	return found
}

func addFields(s *spec.Schema, at string, found map[string]string) {
	for child := range openapi.Children(s) {
		inside := at
		switch {
		case child.Keyword == "properties":
			if inside = child.Name; at != "" {
				inside = at + "." + child.Name
			}
			found[inside] = child.Name
		case !child.IsBranch():
			inside = at + "[*]"
		}
		addFields(child.Schema, inside, found)
	}
}

var (
	structType = regexp.MustCompile(`(?m)^\s*(?:type\s+)?(\w+)\s+struct\s*\{`)
	jsonTag    = regexp.MustCompile(`json:"([^",]+)`)
	specField  = regexp.MustCompile(`(?m)^\s*Spec\s+(\w+)\b`)
)

// goPackages have the names of the fields of Go types in JSON, by folder.
type goPackages map[string]*goFields

// goFields are the types of a package, the names of their fields in JSON, and the types of fields Spec.
type goFields struct{ types, names, specs map[string]bool }

// read reads a file, also of another module.
func (g goPackages) read(name string, data []byte) {
	folder := path.Dir(name)
	if asideOf(name).level >= formerRelease {
		return
	}
	for _, match := range structType.FindAllSubmatch(data, -1) {
		if g[folder] == nil {
			g[folder] = &goFields{map[string]bool{}, map[string]bool{}, map[string]bool{}}
		}
		g[folder].types[string(match[1])] = true
	}
	if g[folder] == nil {
		return
	}
	for _, match := range jsonTag.FindAllSubmatch(data, -1) {
		g[folder].names[string(match[1])] = true
	}
	for _, match := range specField.FindAllSubmatch(data, -1) {
		g[folder].specs[string(match[1])] = true
	}
}

// of returns the names of the fields in the packages that have the Go type of a kind: those of folders called as the
// version, or else all. It returns nil if there are none.
func (g goPackages) of(kind schema.GroupVersionKind) map[string]bool {
	var found map[string]bool
	for _, isVersion := range []bool{true, false} {
		for folder, pkg := range g {
			if found == nil {
				found = map[string]bool{}
			}
			if pkg.types[kind.Kind] && (!isVersion || path.Base(folder) == kind.Version) {
				for name := range pkg.names {
					found[name] = true
				}
			}
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

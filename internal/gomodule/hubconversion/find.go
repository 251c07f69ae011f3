package hubconversion

import (
	"slices"
	"strings"

	"github.com/diffrun/diffrun/backends/declarative/idl"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// Project is a type with several versions and conversion methods.
type Project struct {
	// Dir is where the go command runs.
	Dir  string
	Type string
	// Versions are the import paths by version.
	Versions map[string]string
}

// The methods of conversion.Hub and conversion.Convertible.
const (
	methodHub         = "Hub"
	methodConvertTo   = "ConvertTo"
	methodConvertFrom = "ConvertFrom"
)

// Find looks for the methods in the packages of a type. The project is nil if no version has any.
// The error is a userfile.Mistakes if some versions have methods and others do not have all of
// them.
func Find(dir string, packages []string, typeName string) (*Project, error) {
	found, err := idl.FindMethods(dir, packages, typeName)
	if err != nil {
		return nil, err
	}
	project := &Project{Dir: dir, Type: typeName, Versions: map[string]string{}}
	var hubs []idl.Methods
	any := false
	for _, version := range found {
		project.Versions[version.Package.GroupVersion.Version] = version.Package.Path
		if has(version, methodHub) {
			hubs = append(hubs, version)
		}
		any = any || has(version, methodHub) || has(version, methodConvertTo) || has(version, methodConvertFrom)
	}
	if !any {
		return nil, nil
	}
	return project, wrong(found, hubs, typeName)
}

func has(version idl.Methods, method string) bool {
	_, ok := version.Lines[method]
	return ok
}

// wrong returns the mistakes in the methods.
func wrong(found, hubs []idl.Methods, typeName string) error {
	var mistakes strictyaml.Mistakes
	switch {
	case len(hubs) == 0:
		var names []string
		for _, version := range found {
			names = append(names, version.Package.GroupVersion.Version)
		}
		slices.Sort(names)
		mistakes.Addf(found[0].Type, "%s has methods that convert it, but no version (%s) has the method Hub; write \"func "+
			"(*%s) Hub() {}\" for the version that the others are converted to", typeName, strings.Join(names, ", "), typeName)
	case len(hubs) > 1:
		mistakes.Addf(hubs[1].Lines[methodHub], "a second version of %s has the method Hub; the first is in %s", typeName,
			hubs[0].Lines[methodHub])
	}
	for _, version := range found {
		for _, method := range []string{methodConvertTo, methodConvertFrom} {
			if !has(version, methodHub) && !has(version, method) {
				mistakes.Addf(version.Type, "%s of %s has no method %s, so it cannot be converted through the hub", typeName,
					version.Package.GroupVersion.Version, method)
			}
		}
	}
	return mistakes.Err()
}

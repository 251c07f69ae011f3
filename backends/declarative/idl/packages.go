package idl

import (
	"fmt"
	"go/ast"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/declarative/idl/internal/gotypes"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/userfile"
)

// Package is a Go package of API types.
type Package struct {
	// Path is its import path.
	Path string
	// GroupVersion is the group and version in the package's markers, as gengo and
	// controller-tools read them: +groupName above a package clause, and +versionName, which
	// defaults to the package name. Without +groupName, the constant GroupName has the group, if there are no markers of
	// controller-gen; else it is empty.
	GroupVersion schema.GroupVersion
	// Kubebuilder means that the package has markers of controller-gen.
	Kubebuilder bool
	// Roots lists the types that are stored as objects, sorted. Only FindPackages sets it.
	Roots []string
}

// FindPackage returns the one package that matches an import path, or a relative path such as
// "./api/v1", in a directory. It returns an error if there is no such package or if it cannot be
// parsed.
func FindPackage(dir, pattern string) (Package, error) {
	loaded, err := gotypes.Load(dir, []string{pattern})
	if err != nil {
		return Package{}, err
	}
	if len(loaded.Roots) != 1 {
		return Package{}, fmt.Errorf("%s matches %d Go packages; name one", pattern, len(loaded.Roots))
	}
	var found Package
	for path, root := range loaded.Roots {
		parsed, err := loaded.Parse(root)
		if err != nil {
			return Package{Path: path}, err
		}
		found = Package{Path: path, GroupVersion: parsed.GroupVersion(), Kubebuilder: parsed.UsesKubebuilder()}
	}
	return found, nil
}

// FindPackages returns the packages that patterns match, such as "./api/...", sorted by import
// path, with their root types. The error is a userfile.Mistakes with all packages that cannot be
// loaded or parsed; the others are returned nevertheless.
func FindPackages(dir string, patterns []string) ([]Package, error) {
	loaded, err := gotypes.Load(dir, patterns)
	if loaded == nil {
		return nil, err
	}
	var all []Package
	var mistakes strictyaml.Mistakes
	mistakes.Merge(strings.Join(patterns, " "), err)
	for _, path := range slices.Sorted(maps.Keys(loaded.Roots)) {
		if len(loaded.Roots[path].Errors) > 0 {
			continue
		}
		parsed, err := loaded.Parse(loaded.Roots[path])
		mistakes.Merge(path, err)
		if err == nil {
			all = append(all, packageOf(loaded, parsed))
		}
	}
	return all, mistakes.Err()
}

// packageOf returns a parsed package with its root types.
func packageOf(s *gotypes.Sources, p *gotypes.Package) Package {
	found := Package{Path: p.Path, GroupVersion: p.GroupVersion(), Kubebuilder: p.UsesKubebuilder()}
	if s.ClauseHas(p, "+kubebuilder:skip") {
		return found // it has no definitions
	}
	for _, name := range slices.Sorted(maps.Keys(p.Types)) {
		if p.Types[name].IsRootType() {
			found.Roots = append(found.Roots, name)
		}
	}
	return found
}

// Methods are the methods of a type in one package.
type Methods struct {
	Package Package
	// Type is the line of the type, and Lines are those of its methods by name. A package without
	// the type has none.
	Type  userfile.Position
	Lines map[string]userfile.Position
}

// FindMethods returns the methods of a type in each of some packages, sorted by import path.
// Nothing is type-checked: the methods of embedded types are not among them.
func FindMethods(dir string, patterns []string, typeName string) ([]Methods, error) {
	loaded, err := gotypes.Load(dir, patterns)
	if err != nil {
		return nil, err
	}
	var all []Methods
	for path, root := range loaded.Roots {
		parsed, err := loaded.Parse(root)
		if err != nil {
			return nil, err
		}
		found := Methods{
			Package: Package{Path: path, GroupVersion: parsed.GroupVersion(), Kubebuilder: parsed.UsesKubebuilder()},
			Lines:   map[string]userfile.Position{},
		}
		if t := parsed.Types[typeName]; t != nil {
			found.Type = loaded.Position(t.Spec.Pos())
		}
		for _, file := range root.Syntax {
			for _, declared := range file.Decls {
				if method, ok := declared.(*ast.FuncDecl); ok && receiver(method) == typeName {
					found.Lines[method.Name.Name] = loaded.Position(method.Pos())
				}
			}
		}
		all = append(all, found)
	}
	slices.SortFunc(all, func(a, b Methods) int { return strings.Compare(a.Package.Path, b.Package.Path) })
	return all, nil
}

// receiver returns the name of the type that has a method; "" for functions.
func receiver(method *ast.FuncDecl) string {
	if method.Recv == nil || len(method.Recv.List) != 1 {
		return ""
	}
	return gotypes.ReadType(method.Recv.List[0].Type).Name
}

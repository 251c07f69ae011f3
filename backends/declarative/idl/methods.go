package idl

import (
	"go/ast"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/userfile"
)

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
	loaded, err := loadSources(dir, patterns)
	if err != nil {
		return nil, err
	}
	var all []Methods
	for path, root := range loaded.roots {
		parsed, err := loaded.parse(root)
		if err != nil {
			return nil, err
		}
		found := Methods{Package: Package{Path: path, GroupVersion: groupVersionOf(root), Kubebuilder: hasKubebuilder(root)}, Lines: map[string]userfile.Position{}}
		if t := parsed.types[typeName]; t != nil {
			found.Type = loaded.position(t.spec.Pos())
		}
		for _, file := range root.Syntax {
			for _, declared := range file.Decls {
				if method, ok := declared.(*ast.FuncDecl); ok && receiver(method) == typeName {
					found.Lines[method.Name.Name] = loaded.position(method.Pos())
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
	return embeddedName(method.Recv.List[0].Type)
}

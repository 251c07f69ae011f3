package idl

import (
	"fmt"
	"go/ast"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// FindPackages returns the packages that patterns match, such as "./api/...", sorted by import
// path, with their root types. The error is a userfile.Mistakes with all packages that cannot be
// loaded or parsed; the others are returned nevertheless.
func FindPackages(dir string, patterns []string) ([]Package, error) {
	loaded, err := loadSources(dir, patterns)
	if loaded == nil {
		return nil, err
	}
	var all []Package
	var mistakes strictyaml.Mistakes
	mistakes.Merge(strings.Join(patterns, " "), err)
	for _, path := range slices.Sorted(maps.Keys(loaded.roots)) {
		if len(loaded.roots[path].Errors) > 0 {
			continue
		}
		parsed, err := loaded.parse(loaded.roots[path])
		mistakes.Merge(path, err)
		if err == nil {
			all = append(all, loaded.packageOf(parsed))
		}
	}
	return all, mistakes.Err()
}

func (s *sources) packageOf(p *goPackage) Package {
	found := Package{Path: p.path, GroupVersion: groupVersionOf(p.loaded), Kubebuilder: hasKubebuilder(p.loaded)}
	if s.clauseHas(p, "+kubebuilder:skip") {
		return found // it has no definitions
	}
	for _, name := range slices.Sorted(maps.Keys(p.types)) {
		if s.isRootType(p, p.types[name]) {
			found.Roots = append(found.Roots, name)
		}
	}
	return found
}

// isRootType reports whether a type is stored as an object: it embeds TypeMeta and ObjectMeta of
// apimachinery, as controller-gen and client-gen want it. Lists of objects do not.
func (s *sources) isRootType(p *goPackage, t *goType) bool {
	meta := map[string]bool{}
	for _, f := range t.fields {
		selector, ok := f.expr.(*ast.SelectorExpr)
		if !ok || f.goName != selector.Sel.Name {
			continue
		}
		if in, ok := selector.X.(*ast.Ident); ok && s.imports(p, t.file, in.Name, "k8s.io/apimachinery/pkg/apis/meta/v1") {
			meta[f.goName] = true
		}
	}
	return ast.IsExported(t.spec.Name.Name) && meta["TypeMeta"] && meta["ObjectMeta"]
}

// imports reports whether a file imports a package under a name.
func (s *sources) imports(p *goPackage, file *ast.File, name, path string) bool {
	for _, spec := range file.Imports {
		if strings.Trim(spec.Path.Value, `"`) != path {
			continue
		}
		if spec.Name != nil {
			return spec.Name.Name == name
		}
		imported := p.loaded.Imports()[path]
		return strings.HasSuffix(path, "/"+name) || imported != nil && imported.Name == name
	}
	return false
}

// packageErrors returns the errors of the go command or the parser about a package, with their lines.
func packageErrors(doing string, p *loader.Package) error {
	var mistakes strictyaml.Mistakes
	for _, each := range p.Errors {
		at := strictyaml.Position{File: p.PkgPath}
		if each.Pos != "" && each.Pos != "-" {
			at = placeOf(each.Pos)
		}
		message := fmt.Sprintf("%s Go package %s: %s", doing, p.PkgPath, each.Msg)
		if each.Kind == packages.ParseError {
			message = "not Go: " + each.Msg
		}
		mistakes.Addf(at, "%s", message)
	}
	return mistakes.Err()
}

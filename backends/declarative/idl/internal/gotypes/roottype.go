package gotypes

import (
	"go/ast"
	"strings"
)

// IsRootType reports whether a type is stored as an object: it embeds TypeMeta and ObjectMeta of
// apimachinery, as controller-gen and client-gen want it. Lists of objects do not.
func (t *Type) IsRootType() bool {
	meta := map[string]bool{}
	for _, f := range t.Fields {
		written := ReadType(f.Expr)
		if !written.Pointer && f.GoName == written.Name &&
			t.Package.Imports(t.File, written.Package, "k8s.io/apimachinery/pkg/apis/meta/v1") {
			meta[f.GoName] = true
		}
	}
	return ast.IsExported(t.Spec.Name.Name) && meta["TypeMeta"] && meta["ObjectMeta"]
}

// Imports reports whether a file imports a package under a name.
func (p *Package) Imports(file *ast.File, name, path string) bool {
	for _, spec := range file.Imports {
		if strings.Trim(spec.Path.Value, `"`) != path {
			continue
		}
		if spec.Name != nil {
			return spec.Name.Name == name
		}
		imported := p.Loaded.Imports()[path]
		return strings.HasSuffix(path, "/"+name) || imported != nil && imported.Name == name
	}
	return false
}

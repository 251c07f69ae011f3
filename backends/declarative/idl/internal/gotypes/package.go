package gotypes

import (
	"go/ast"
	"go/token"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/declarative/idl/internal/kubebuilder"
)

// GroupVersion returns the group and version in the markers of a package, as gengo and controller-tools
// read them: +groupName above a package clause, and +versionName, which defaults to the name of the
// package. Without +groupName, it is that of the constant GroupName, as packages of k8s.io/api have one, if there are no
// markers of controller-gen; else empty.
func (p *Package) GroupVersion() schema.GroupVersion {
	named := schema.GroupVersion{Version: p.Loaded.Name}
	for _, file := range p.Loaded.Syntax {
		for _, group := range file.Comments {
			if group.Pos() > file.Package {
				break
			}
			for _, comment := range group.List {
				readGroupVersion(comment, &named)
			}
		}
	}
	if named.Group == "" && !p.UsesKubebuilder() {
		named.Group = p.groupName()
	}
	if named.Group == "" {
		return schema.GroupVersion{}
	}
	return named
}

// groupName returns the text of the constant GroupName; empty: there is none. Nothing is type-checked.
func (p *Package) groupName() (group string) {
	for _, file := range p.Loaded.Syntax {
		for node := range ast.Preorder(file) {
			spec, ok := node.(*ast.ValueSpec)
			if !ok || len(spec.Names) != 1 || spec.Names[0].Name != "GroupName" || len(spec.Values) != 1 {
				continue
			}
			if text, ok := spec.Values[0].(*ast.BasicLit); ok && text.Kind == token.STRING {
				group, _ = strconv.Unquote(text.Value) // it was parsed
			}
		}
	}
	return group
}

// UsesKubebuilder reports whether a package has markers of controller-gen.
func (p *Package) UsesKubebuilder() bool {
	for _, file := range p.Loaded.Syntax {
		for _, group := range file.Comments {
			for _, comment := range group.List {
				if strings.HasPrefix(strings.TrimSpace(strings.TrimPrefix(comment.Text, "//")), "+"+kubebuilder.Prefix) {
					return true
				}
			}
		}
	}
	return false
}

func readGroupVersion(comment *ast.Comment, named *schema.GroupVersion) {
	text := strings.TrimSpace(strings.TrimPrefix(comment.Text, "//"))
	if group, ok := strings.CutPrefix(text, "+groupName="); ok {
		named.Group = group
	}
	if version, ok := strings.CutPrefix(text, "+versionName="); ok {
		named.Version = version
	}
}

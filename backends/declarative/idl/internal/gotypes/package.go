package gotypes

import (
	"go/ast"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/declarative/idl/internal/kubebuilder"
)

// GroupVersion returns the group and version in the markers of a package, as gengo and controller-tools
// read them: +groupName above a package clause, and +versionName, which defaults to the name of the
// package. It is empty without +groupName.
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
	if named.Group == "" {
		return schema.GroupVersion{}
	}
	return named
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

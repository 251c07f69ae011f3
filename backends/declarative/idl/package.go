package idl

import (
	"fmt"
	"go/ast"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/diffrun/diffrun/backends/declarative/idl/internal/kubebuilder"
)

// Package is a Go package of API types.
type Package struct {
	// Path is its import path.
	Path string
	// GroupVersion is the group and version in the package's markers, as gengo and
	// controller-tools read them: +groupName above a package clause, and +versionName, which
	// defaults to the package name. It is empty without +groupName.
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
	loaded, err := loadSources(dir, []string{pattern})
	if err != nil {
		return Package{}, err
	}
	if len(loaded.roots) != 1 {
		return Package{}, fmt.Errorf("%s matches %d Go packages; name one", pattern, len(loaded.roots))
	}
	var found Package
	for path, root := range loaded.roots {
		found.Path = path
		if _, err := loaded.parse(root); err != nil {
			return found, err
		}
		found.GroupVersion = groupVersionOf(root)
		found.Kubebuilder = hasKubebuilder(root)
	}
	return found, nil
}

func groupVersionOf(root *loader.Package) schema.GroupVersion {
	named := schema.GroupVersion{Version: root.Name}
	for _, file := range root.Syntax {
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

func hasKubebuilder(root *loader.Package) bool {
	for _, file := range root.Syntax {
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

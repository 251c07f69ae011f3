package capture

import (
	"context"
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/declarative/idl"
)

// findVersions finds the API versions that the packages of recorded objects declare.
func (w *workspace) findVersions(ctx context.Context) error {
	w.recording.Versions = map[string]schema.GroupVersionKind{}
	found := map[string]schema.GroupVersion{}
	for _, line := range w.recording.Lines {
		dot := strings.LastIndex(line.Type, ".")
		if line.Part || dot < 0 {
			continue
		}
		pkg, name := line.Type[:dot], line.Type[dot+1:]
		if _, looked := found[pkg]; !looked {
			version, err := w.versionOf(ctx, strings.TrimSuffix(pkg, "_test"))
			if err != nil {
				return err
			}
			found[pkg] = version
		}
		if version := found[pkg]; !version.Empty() {
			w.recording.Versions[line.Type] = version.WithKind(name)
		}
	}
	return nil
}

// versionOf returns the version that a package declares by a literal of schema.GroupVersion, which is
// needed to register types, or by its markers. It is empty if there is none.
func (w *workspace) versionOf(ctx context.Context, pkg string) (schema.GroupVersion, error) {
	out, err := w.command.Output(ctx, w.tests.list(w.modfile, "-e", "-find", "-json=Dir,GoFiles", "--", pkg)...)
	if err != nil {
		return schema.GroupVersion{}, nil //nolint:nilerr // the go command does not know packages of tests
	}
	var p listed
	if err := json.Unmarshal(out, &p); err != nil {
		return schema.GroupVersion{}, err
	}
	if version := declaredVersion(p.Dir, p.GoFiles); !version.Empty() {
		return version, nil
	}
	if found, err := idl.FindPackage(p.Dir, "."); err == nil {
		return found.GroupVersion, nil
	}
	return schema.GroupVersion{}, nil
}

// declaredVersion looks for schema.GroupVersion{Group: …, Version: …} in the files of a package. The
// values must be string literals or constants of the package.
func declaredVersion(dir string, files []string) schema.GroupVersion {
	constants := map[string]string{}
	var literals []*ast.CompositeLit
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(dir, name), nil, parser.SkipObjectResolution)
		if err != nil {
			continue
		}
		ast.Inspect(file, func(node ast.Node) bool {
			switch node := node.(type) {
			case *ast.ValueSpec:
				for i, value := range node.Values {
					if text, ok := literalText(value, nil); ok && i < len(node.Names) {
						constants[node.Names[i].Name] = text
					}
				}
			case *ast.CompositeLit:
				if selector, ok := node.Type.(*ast.SelectorExpr); ok && selector.Sel.Name == "GroupVersion" {
					literals = append(literals, node)
				}
			}
			return true
		})
	}
	var versions []schema.GroupVersion
	for _, literal := range literals {
		var version schema.GroupVersion
		known := 0
		for _, element := range literal.Elts {
			pair, ok := element.(*ast.KeyValueExpr)
			if !ok {
				continue
			}
			key, _ := pair.Key.(*ast.Ident)
			text, ok := literalText(pair.Value, constants)
			switch {
			case !ok || key == nil:
				continue
			case key.Name == "Group":
				version.Group = text
			case key.Name == "Version":
				version.Version = text
			}
			known++
		}
		if known == len(literal.Elts) && version.Version != "" && !slices.Contains(versions, version) {
			versions = append(versions, version)
		}
	}
	if len(versions) != 1 {
		return schema.GroupVersion{} // none, or several to choose from
	}
	return versions[0]
}

// literalText returns the string of a literal or a constant.
func literalText(expr ast.Expr, constants map[string]string) (string, bool) {
	switch e := expr.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		return text, err == nil && e.Kind == token.STRING
	case *ast.Ident:
		text, known := constants[e.Name]
		return text, known
	}
	return "", false
}

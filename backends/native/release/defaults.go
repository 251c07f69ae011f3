package release

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// The function of a release that says which versions its API server serves by default. It is copied with the lists
// that it reads: its package links the whole API server.
const (
	defaultsFile     = "pkg/controlplane/instance.go"
	defaultsFunction = "DefaultAPIResourceConfigSource"
)

// servedByDefault returns a file of the program with the function DefaultAPIResourceConfigSource of a release.
func servedByDefault(dir string) ([]byte, error) {
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, filepath.Join(dir, filepath.FromSlash(defaultsFile)), nil, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	copying := copier{declared: declarations(file), imports: importNames(file)}
	copying.add(defaultsFunction)
	if len(copying.copied) == 0 {
		return nil, fmt.Errorf("%s of Kubernetes has no function %s", defaultsFile, defaultsFunction)
	}
	var text bytes.Buffer
	text.WriteString("package main\n\nimport (\n")
	slices.Sort(copying.used)
	for _, name := range slices.Compact(copying.used) {
		fmt.Fprintf(&text, "\t%s %q\n", name, copying.imports[name])
	}
	text.WriteString(")\n")
	for _, one := range copying.copied {
		text.WriteString("\n")
		if _, isValue := one.(*ast.ValueSpec); isValue {
			text.WriteString("var ")
		}
		if err := format.Node(&text, files, one); err != nil {
			return nil, err
		}
		text.WriteString("\n")
	}
	return format.Source(text.Bytes())
}

// copier collects a declaration of a file and all that it refers to.
type copier struct {
	declared map[string]ast.Node
	imports  map[string]string
	copied   []ast.Node
	used     []string
}

func (c *copier) add(name string) {
	node := c.declared[name]
	if node == nil || slices.Contains(c.copied, node) {
		return
	}
	c.copied = append(c.copied, node)
	ast.Inspect(node, func(inside ast.Node) bool {
		if of, ok := inside.(*ast.Ident); ok {
			if c.imports[of.Name] != "" {
				c.used = append(c.used, of.Name)
			}
			c.add(of.Name)
		}
		return true
	})
}

// declarations returns the functions and variables of a file by name. Each variable has a declaration of its own.
func declarations(file *ast.File) map[string]ast.Node {
	all := map[string]ast.Node{}
	for _, declaration := range file.Decls {
		switch declaration := declaration.(type) {
		case *ast.FuncDecl:
			if declaration.Recv == nil {
				declaration.Doc = nil
				all[declaration.Name.Name] = declaration
			}
		case *ast.GenDecl:
			for _, spec := range declaration.Specs {
				if value, ok := spec.(*ast.ValueSpec); ok && declaration.Tok == token.VAR && len(value.Names) == 1 {
					value.Doc = nil
					all[value.Names[0].Name] = value
				}
			}
		}
	}
	return all
}

// importNames returns the import paths of a file by the names that it uses for them.
func importNames(file *ast.File) map[string]string {
	all := map[string]string{}
	for _, one := range file.Imports {
		path, err := strconv.Unquote(one.Path.Value)
		if err != nil {
			continue
		}
		name := path[strings.LastIndexByte(path, '/')+1:]
		if one.Name != nil {
			name = one.Name.Name
		}
		all[name] = path
	}
	return all
}

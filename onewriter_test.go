package diffrun_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// writesFiles is the only package that writes files: one place decides what happens to a device, a pipe, a
// link or a mode at the path that a user gives.
const writesFiles = "internal/files/outfile"

// writers are the functions that write a file by its name.
var writers = map[string][]string{
	"os":        {"Create", "WriteFile", "OpenFile", "Rename", "Truncate", "Link", "Symlink", "CopyFS"},
	"io/ioutil": {"WriteFile"},
	"syscall":   {"Open", "Creat", "Rename"},
	"github.com/prometheus/client_golang/prometheus": {"WriteToTextfile"},
}

func TestOneWriter(t *testing.T) {
	looked := 0
	for _, pkg := range listPackages(t) {
		for _, name := range pkg.GoFiles {
			looked++
			for _, call := range callsOf(t, filepath.Join(pkg.Dir, name), writers) {
				if pkg.ImportPath != module+"/"+writesFiles {
					t.Errorf("%s; only package %s writes files", call, writesFiles)
				}
			}
		}
	}
	if inside := callsOf(t, filepath.Join(filepath.FromSlash(writesFiles), "staged.go"), writers); looked < 100 || len(inside) == 0 {
		t.Errorf("looked at %d files, found %q where files are written; does this test see anything?", looked, inside)
	}
}

// callsOf returns the uses of functions, by package, in a file.
func callsOf(t *testing.T, name string, functions map[string][]string) []string {
	t.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	named := map[string][]string{} // by the name of the import in the file
	for _, spec := range file.Imports {
		imported := strings.Trim(spec.Path.Value, `"`)
		called := path.Base(imported)
		if spec.Name != nil {
			called = spec.Name.Name
		}
		named[called] = functions[imported]
	}
	var found []string
	ast.Inspect(file, func(node ast.Node) bool {
		selector, is := node.(*ast.SelectorExpr)
		if !is {
			return true
		}
		if of, is := selector.X.(*ast.Ident); is && slices.Contains(named[of.Name], selector.Sel.Name) {
			found = append(found, fmt.Sprintf("%s uses %s.%s", set.Position(selector.Pos()), of.Name, selector.Sel.Name))
		}
		return true
	})
	return found
}

package diffrun_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestStableNamesAreShown checks that users meet each exported name of the stable packages: in an Example
// function, in a program below examples/, or as package.Name on a page. A type is also shown by a function
// that returns it.
func TestStableNamesAreShown(t *testing.T) {
	shown := namesInExamples(t)
	for name := range namesOnPages(t) {
		shown[name] = true
	}
	for _, pkg := range publicPackages(t) {
		folder := strings.TrimPrefix(pkg.Path(), module+"/")
		if !slices.Contains(stable, folder) {
			continue
		}
		returned := returnedTypes(pkg, func(name string) bool { return isShown(shown, folder, name) })
		for _, name := range pkg.Scope().Names() {
			if token.IsExported(name) && !isShown(shown, folder, name) && !returned[name] {
				t.Errorf("no Example function, no program of examples/ and no page of docs/ uses %s.%s: "+
					"unexport it, move it to an unstable package (api_test.go), or show what it is for", folder, name)
			}
		}
	}
}

// isShown reports whether a name is shown: by its import path in Go, by the last element of it on pages.
func isShown(shown map[string]bool, folder, name string) bool {
	return shown[module+"/"+folder+"."+name] || shown[path.Base(folder)+"."+name]
}

// returnedTypes returns the types of a package that its shown functions return.
func returnedTypes(pkg *types.Package, isShown func(string) bool) map[string]bool {
	returned := map[string]bool{}
	for _, name := range pkg.Scope().Names() {
		function, is := pkg.Scope().Lookup(name).(*types.Func)
		if !is || !isShown(name) {
			continue
		}
		for result := range function.Signature().Results().Variables() {
			of := result.Type()
			if pointer, is := of.(*types.Pointer); is {
				of = pointer.Elem()
			}
			switch of := of.(type) {
			case *types.Named:
				returned[of.Obj().Name()] = returned[of.Obj().Name()] || of.Obj().Pkg() == pkg
			case *types.Alias:
				returned[of.Obj().Name()] = returned[of.Obj().Name()] || of.Obj().Pkg() == pkg
			}
		}
	}
	return returned
}

// namesInExamples returns the names that Example functions and the programs below examples/ use, as
// import/path.Name.
func namesInExamples(t *testing.T) map[string]bool {
	used := map[string]bool{}
	for _, file := range filesNamed(t, ".go") {
		program := strings.HasPrefix(file, "examples/")
		if !program && !strings.HasSuffix(file, "_test.go") {
			continue
		}
		dependOn(t, file)
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		imported := importsOf(parsed)
		for _, decl := range parsed.Decls {
			if function, is := decl.(*ast.FuncDecl); !program && (!is || !strings.HasPrefix(function.Name.Name, "Example")) {
				continue
			}
			ast.Inspect(decl, func(n ast.Node) bool {
				if selector, is := n.(*ast.SelectorExpr); is {
					if of, is := selector.X.(*ast.Ident); is && imported[of.Name] != "" {
						used[imported[of.Name]+"."+selector.Sel.Name] = true
					}
				}
				return true
			})
		}
	}
	return used
}

// importsOf returns the packages of the module that a file imports, by their names in it.
func importsOf(file *ast.File) map[string]string {
	imported := map[string]string{}
	for _, spec := range file.Imports {
		of, err := strconv.Unquote(spec.Path.Value)
		if err != nil || !strings.HasPrefix(of, module+"/") {
			continue
		}
		name := path.Base(of)
		if spec.Name != nil {
			name = spec.Name.Name
		}
		imported[name] = of
	}
	return imported
}

// qualified matches a name with its package on a page.
var qualified = regexp.MustCompile(`\b[a-z]+\.[A-Z]\w*`)

// namesOnPages returns the names that pages use, as package.Name.
func namesOnPages(t *testing.T) map[string]bool {
	used := map[string]bool{}
	for _, file := range markdownFiles(t) {
		if strings.HasPrefix(file, "docs/") || strings.HasPrefix(file, "examples/") || file == "README.md" {
			for _, name := range qualified.FindAllString(string(readFile(t, file)), -1) {
				used[name] = true
			}
		}
	}
	return used
}

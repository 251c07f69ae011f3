package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/files/outfile"
)

// function is a validation function of a package, with the arguments that the line needs from its
// signature.
type function struct {
	name string
	// typ is the name of the API type that it validates; empty for a single value, such as a text,
	// or several of them.
	typ string
	// pointer means that it takes a pointer to the object.
	pointer bool
	// old, path and version are the indices of these arguments, or none.
	old, path, version int
	status             bool
}

const none = -1

// functions returns the validation functions of a package: those that return a field.ErrorList.
func functions(files []string) (map[string]function, error) {
	all := map[string]function{}
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			return nil, err
		}
		for _, declaration := range file.Decls {
			f, ok := declaration.(*ast.FuncDecl)
			if ok && f.Recv == nil && strings.HasPrefix(strings.ToLower(f.Name.Name), "validate") && returnsErrors(f.Type) {
				all[f.Name.Name] = signature(f)
			}
		}
	}
	return all, nil
}

func returnsErrors(f *ast.FuncType) bool {
	if f.Results == nil || len(f.Results.List) != 1 {
		return false
	}
	return qualified(f.Results.List[0].Type) == "field.ErrorList"
}

// qualified returns a type of an imported package, as in "field.Path"; empty for others.
func qualified(expression ast.Expr) string {
	if selector, ok := expression.(*ast.SelectorExpr); ok {
		if name, ok := selector.X.(*ast.Ident); ok {
			return name.Name + "." + selector.Sel.Name
		}
	}
	return ""
}

// signature reads the parameters: the object first, then perhaps the old one, of the same
// type, and somewhere a path.
func signature(f *ast.FuncDecl) function {
	read := function{name: f.Name.Name, old: none, path: none, version: none, status: strings.Contains(f.Name.Name, "Status")}
	at := 0
	var first string
	for _, parameter := range f.Type.Params.List {
		for range max(1, len(parameter.Names)) {
			star, pointer := parameter.Type.(*ast.StarExpr)
			typ := qualified(parameter.Type)
			if pointer {
				typ = qualified(star.X)
			}
			switch {
			case typ == "field.Path":
				read.path = at
			case typ == "schema.GroupVersion":
				read.version = at
			case at == 0 && typ != "":
				read.typ, read.pointer = typ[strings.Index(typ, ".")+1:], pointer
				first = typ
			case at == 1 && typ != "" && typ == first:
				read.old = at
			}
			at++
		}
	}
	return read
}

// edit is a text that replaces a part of a file.
type edit struct {
	from, to int
	text     string
}

// insert puts the line around each call of the functions in a test file that has a *testing.T in
// scope. It returns the calls that it did not change.
func insert(name string, known map[string]function) (left []string, err error) {
	source, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, name, source, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	var edits []edit
	var stack []ast.Node
	ast.Inspect(file, func(node ast.Node) bool {
		if node == nil {
			stack = stack[:len(stack)-1]
			return true
		}
		stack = append(stack, node)
		call, isCall := node.(*ast.CallExpr)
		if !isCall {
			return true
		}
		called, isName := call.Fun.(*ast.Ident)
		if !isName {
			return true
		}
		f, isKnown := known[called.Name]
		if !isKnown {
			return true
		}
		test := testIn(stack)
		if test == "" {
			left = append(left, fmt.Sprintf("%s: no *testing.T is in scope where %s is called", set.Position(call.Pos()), f.name))
			return true
		}
		edits = append(edits, line(f, call, test, func(n ast.Node) string {
			return string(source[set.Position(n.Pos()).Offset:set.Position(n.End()).Offset])
		}, func(p token.Pos) int { return set.Position(p).Offset }))
		return true
	})
	if len(edits) == 0 {
		return left, nil
	}
	slices.SortFunc(edits, func(a, b edit) int { return b.from - a.from })
	for _, e := range edits {
		source = slices.Concat(source[:e.from], []byte(e.text), source[e.to:])
	}
	return left, outfile.Write(name, source)
}

// testIn returns the name of the innermost *testing.T around a call; empty if there is none.
func testIn(stack []ast.Node) string {
	for _, node := range slices.Backward(stack) {
		var parameters *ast.FieldList
		switch f := node.(type) {
		case *ast.FuncLit:
			parameters = f.Type.Params
		case *ast.FuncDecl:
			parameters = f.Type.Params
		}
		if parameters == nil {
			continue
		}
		for _, parameter := range parameters.List {
			if star, ok := parameter.Type.(*ast.StarExpr); ok && qualified(star.X) == "testing.T" && len(parameter.Names) == 1 {
				return parameter.Names[0].Name
			}
		}
	}
	return ""
}

// line returns the edit that puts the line around a call.
func line(f function, call *ast.CallExpr, test string, text func(ast.Node) string, offset func(token.Pos) int) edit {
	var c bytes.Buffer
	if f.typ != "" {
		object := func(at int) string {
			if f.pointer {
				return text(call.Args[at])
			}
			return "pointerTo(" + text(call.Args[at]) + ")"
		}
		fmt.Fprintf(&c, "Object: %s", object(0))
		if f.old != none {
			fmt.Fprintf(&c, ", Old: %s", object(f.old))
		}
		if f.path != none && f.path < len(call.Args) {
			fmt.Fprintf(&c, ", Path: %s", text(call.Args[f.path]))
		}
		if f.version != none {
			fmt.Fprintf(&c, `, Version: (%s).WithKind("")`, text(call.Args[f.version]))
		}
		if f.status {
			c.WriteString(`, Subresource: "status"`)
		}
	}
	return edit{offset(call.Pos()), offset(call.End()), fmt.Sprintf("comparedWithSchema(%s, %q, %q, harness.Case{%s}, %s)",
		test, f.name, f.typ, c.String(), text(call))}
}
